-- What an action has changed: [[field, before, after]], as JSON. NULL for an action that is not a change of values.
ALTER TABLE activity ADD COLUMN details TEXT CHECK (json_type(details) = 'array');

-- Who has switched a property on or off at a portal.
CREATE INDEX activity_of_subject ON activity (account_id, subject) WHERE details IS NOT NULL;
