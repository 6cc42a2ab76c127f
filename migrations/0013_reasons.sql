-- Why an import has failed or is held, and why a webhook could not be called: a code and what its sentence depends on.

ALTER TABLE imports ADD COLUMN reason TEXT CHECK (json_type(reason) = 'object');

ALTER TABLE webhook_attempts ADD COLUMN reason TEXT CHECK (json_type(reason) = 'object');
