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

-- What each reader was given, by feed. A row is written at most once in ten minutes.
CREATE TABLE deliveries (
  reader_id INTEGER NOT NULL REFERENCES readers (id) ON DELETE CASCADE,
  -- The name of the format and the canonical name of the parameter set.
  feed TEXT NOT NULL CHECK (length(feed) BETWEEN 1 AND 450),
  -- The last complete delivery, or the last 304 if that shows that the reader has a later state. NULL before the first.
  delivered_at INTEGER,
  -- The account revisions that it showed at least. NULL for one that the parameters do not depend on.
  sale_revision INTEGER,
  rental_revision INTEGER,
  status INTEGER CHECK (status IN (200, 304)),
  bytes INTEGER,
  origin TEXT CHECK (origin IN ('hit', 'partial', 'miss', 'not modified')),
  visited_at INTEGER NOT NULL,
  -- The smoothed interval between visits in seconds, and from how many writes it was learned.
  usual_interval REAL,
  intervals INTEGER NOT NULL DEFAULT 0,
  -- Whether it was logged that the reader is late.
  late_logged INTEGER NOT NULL DEFAULT 0 CHECK (late_logged IN (0, 1)),
  -- The complete 200s and the 304s of each day, as a JSON object {date: [3, 21]}.
  days TEXT NOT NULL DEFAULT '{}' CHECK (json_type(days) = 'object'),
  -- The last deliveries of different revisions, as a JSON array [[time, sale revision, rental revision]], newest last.
  history TEXT NOT NULL DEFAULT '[]' CHECK (json_type(history) = 'array'),
  PRIMARY KEY (reader_id, feed)
) STRICT, WITHOUT ROWID;
