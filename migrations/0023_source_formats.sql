-- The formats of files that sources read are those of the service: a new one needs no migration.

ALTER TABLE sources ADD COLUMN reads_as TEXT;
UPDATE sources SET reads_as = format;
ALTER TABLE sources DROP COLUMN format;
ALTER TABLE sources RENAME COLUMN reads_as TO format;
