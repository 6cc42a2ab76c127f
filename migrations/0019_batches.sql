-- What was changed together, so that it can be undone together: an import, or what somebody has done to several listings at once.

ALTER TABLE property_history ADD COLUMN batch TEXT;

CREATE INDEX property_history_by_batch ON property_history (account_id, batch) WHERE batch IS NOT NULL;

-- The batch that created the property.
ALTER TABLE property_search ADD COLUMN created_in TEXT;

CREATE INDEX property_search_by_batch ON property_search (created_in) WHERE created_in IS NOT NULL;
