-- Readers: portals and programs that fetch the feeds of an account, each with keys of its own.

CREATE TABLE readers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 40 AND name NOT GLOB '*[^a-z0-9._-]*'),
  -- Feed parameters that apply unless a request gives others, as a query string. Empty if there are none.
  preset TEXT NOT NULL DEFAULT '' CHECK (length(preset) <= 400),
  -- Whether a request may not give others.
  fixed INTEGER NOT NULL DEFAULT 0 CHECK (fixed IN (0, 1)),
  -- The canonical name of the parameter set of a request without parameters, so that one statement finds its snapshots.
  -- NULL if that feed is ordered by listing date: it takes another statement.
  parameters TEXT CHECK (length(parameters) BETWEEN 1 AND 400),
  disabled INTEGER NOT NULL DEFAULT 0 CHECK (disabled IN (0, 1)),
  created_at INTEGER NOT NULL DEFAULT (unixepoch()),
  UNIQUE (account_id, name)
) STRICT;

-- A reader has several keys while one replaces another.
CREATE TABLE reader_keys (
  -- SHA-256 of a random key, in lower-case hexadecimal.
  digest TEXT PRIMARY KEY CHECK (length(digest) = 64 AND digest NOT GLOB '*[^0-9a-f]*'),
  reader_id INTEGER NOT NULL REFERENCES readers (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL DEFAULT (unixepoch()),
  -- NULL for a key that does not expire.
  expires_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX keys_of_reader ON reader_keys (reader_id);
