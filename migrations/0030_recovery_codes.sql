-- SHA-256 of each code that signs a person in once instead of the second factor, as a JSON array.
ALTER TABLE people ADD COLUMN recovery_codes TEXT NOT NULL DEFAULT '[]' CHECK (json_type(recovery_codes) = 'array');
