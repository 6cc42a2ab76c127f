-- In which times are shown, by its name in the database of IANA. They are stored in UTC.

ALTER TABLE accounts ADD COLUMN time_zone TEXT NOT NULL DEFAULT 'Europe/Madrid';
