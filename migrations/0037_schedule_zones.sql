-- In which the times of a schedule are meant, by its name in the database of IANA.

ALTER TABLE sources ADD COLUMN time_zone TEXT NOT NULL DEFAULT 'UTC';
