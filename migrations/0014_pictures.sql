-- Pictures that the service serves itself. A row is written before its files, and deleted after them: so none is forgotten.

CREATE TABLE pictures (
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  -- The first half of the SHA-256 of the picture that portals get, in hexadecimal: part of its address.
  digest TEXT NOT NULL,
  width INTEGER NOT NULL,
  height INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  -- When it was last received.
  received_at INTEGER NOT NULL DEFAULT (unixepoch()),
  -- Since when no document names it, as far as the sweep has seen. Null while one does, and until the first sweep.
  unnamed_since INTEGER,
  -- When the sweep began to delete its files: until they are gone, nobody may count on them.
  deleted_at INTEGER,
  PRIMARY KEY (account_id, digest)
) STRICT, WITHOUT ROWID;
