-- What units were changed or created together with, as by a table that was pasted, so that it can be undone together.

ALTER TABLE unit_history ADD COLUMN batch TEXT;

CREATE INDEX unit_history_by_batch ON unit_history (account_id, batch) WHERE batch IS NOT NULL;

ALTER TABLE units ADD COLUMN created_in TEXT;

CREATE INDEX units_by_batch ON units (account_id, created_in) WHERE created_in IS NOT NULL;
