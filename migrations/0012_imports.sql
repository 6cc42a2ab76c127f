-- Imports that the Worker runs: of files that are sent to it, and of sources, which it fetches on a schedule.

CREATE TABLE sources (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  name TEXT NOT NULL CHECK (name NOT GLOB '*[^a-z0-9._-]*' AND length(name) BETWEEN 1 AND 40),
  -- Encrypted, because it can contain credentials.
  url TEXT NOT NULL,
  -- Without credentials.
  shown_url TEXT NOT NULL,
  format TEXT CHECK (format IN ('kyero', 'resales', 'ndjson')),
  every TEXT NOT NULL CHECK (every IN ('hour', 'day', 'week')),
  -- HH:MM in UTC, for a week after the name of a day.
  at TEXT NOT NULL,
  max_withdrawn INTEGER NOT NULL CHECK (max_withdrawn BETWEEN 0 AND 100),
  strict INTEGER NOT NULL CHECK (strict IN (0, 1)),
  -- The channel of the properties that it brings.
  channel TEXT,
  enabled INTEGER NOT NULL CHECK (enabled IN (0, 1)),
  created_at INTEGER NOT NULL DEFAULT (unixepoch()),
  -- Of the last file that was imported completely.
  etag TEXT,
  last_modified TEXT,
  -- Runs in a row that have failed.
  failures INTEGER NOT NULL DEFAULT 0,
  next_run_at INTEGER NOT NULL,
  UNIQUE (account_id, name)
) STRICT;

CREATE INDEX sources_by_next_run ON sources (next_run_at) WHERE enabled;

-- The properties in the last file of each source. A source withdraws none that another one has as well.
CREATE TABLE source_properties (
  source_id INTEGER NOT NULL REFERENCES sources (id) ON DELETE CASCADE,
  identifier TEXT NOT NULL,
  PRIMARY KEY (source_id, identifier)
) STRICT, WITHOUT ROWID;

CREATE TABLE imports (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  source_id INTEGER REFERENCES sources (id) ON DELETE SET NULL,
  -- receiving: the file is being sent to the Worker. fetching, validating, applying: in the queue, or under way. held: it would
  -- withdraw more than it may, and waits to be approved. unchanged: the server says that the file is the same as before.
  state TEXT NOT NULL CHECK (state IN ('receiving', 'fetching', 'validating', 'applying', 'held', 'finished', 'unchanged', 'failed', 'cancelled')),
  -- JSON.
  options TEXT NOT NULL CHECK (json_type(options) = 'object'),
  -- Encrypted. Null for a file that was sent.
  url TEXT,
  created_at INTEGER NOT NULL DEFAULT (unixepoch()),
  ended_at INTEGER,
  bytes INTEGER NOT NULL DEFAULT 0,
  -- Records of the file, once it has been validated.
  records INTEGER,
  -- What the server stated of the file.
  etag TEXT,
  last_modified TEXT,
  -- Where the plan is in the bucket.
  plan TEXT,
  -- How far the plan has been applied. Never null: a batch fails if its import has lost its lease.
  progress TEXT NOT NULL DEFAULT '{}' CHECK (json_type(progress) = 'object'),
  -- Whoever works on it, and until when nobody else does, in milliseconds.
  lease TEXT,
  leased_until INTEGER NOT NULL DEFAULT 0,
  -- Leases since the last progress.
  attempts INTEGER NOT NULL DEFAULT 0,
  has_report INTEGER NOT NULL DEFAULT 0 CHECK (has_report IN (0, 1)),
  -- Why it has failed or is held.
  code TEXT,
  detail TEXT
) STRICT;

CREATE INDEX imports_by_account ON imports (account_id, id);
CREATE INDEX imports_by_source ON imports (source_id, id);
CREATE INDEX imports_active ON imports (account_id, id) WHERE state IN ('receiving', 'fetching', 'validating', 'applying');
