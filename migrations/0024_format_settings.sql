-- What an account has stated once for all readers of a format, as a JSON object of queries by the name of the format.

ALTER TABLE accounts ADD COLUMN format_settings TEXT NOT NULL DEFAULT '{}' CHECK (json_type(format_settings) = 'object');
