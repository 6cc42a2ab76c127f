-- Sources whose pictures are copied.

ALTER TABLE sources ADD COLUMN copy_pictures INTEGER NOT NULL DEFAULT 0 CHECK (copy_pictures IN (0, 1));
-- Of the addresses that the copies get.
ALTER TABLE sources ADD COLUMN origin TEXT NOT NULL DEFAULT '';
