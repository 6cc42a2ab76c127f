-- Channels: lists of properties, whose documents name them. A reader without a channel gets all.
CREATE TABLE channels (
  -- Random, so that no other channel of any database ever has it, and no counter is written.
  id INTEGER NOT NULL DEFAULT (random() & 0xfffffffffffff),
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 40 AND name NOT GLOB '*[^a-z0-9._-]*'),
  PRIMARY KEY (account_id, id),
  UNIQUE (account_id, name)
) STRICT, WITHOUT ROWID;

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
  -- NULL for all properties. A channel that a reader has cannot be deleted: the reader would get all properties.
  channel_id INTEGER,
  disabled INTEGER NOT NULL DEFAULT 0 CHECK (disabled IN (0, 1)),
  created_at INTEGER NOT NULL DEFAULT (unixepoch()),
  -- Which portal a reader is, as the console lists portals, and what people call it. NULL for a reader that was not connected there.
  portal TEXT CHECK (length(portal) BETWEEN 1 AND 40),
  title TEXT CHECK (length(title) BETWEEN 1 AND 100),
  -- What a reader may see, as a query: withhold=commission.email&place=moved. Empty for everything. After a change of what the
  -- reader gets, it also has the time of that change: since=1795747654.
  policy TEXT NOT NULL DEFAULT '' CHECK (length(policy) <= 200),
  UNIQUE (account_id, name),
  FOREIGN KEY (account_id, channel_id) REFERENCES channels (account_id, id)
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
  -- The number of the last change of the account that it showed.
  revision INTEGER,
  status INTEGER CHECK (status IN (200, 304)),
  bytes INTEGER,
  origin TEXT CHECK (origin IN ('hit', 'partial', 'miss', 'not modified')),
  last_seen_at INTEGER NOT NULL,
  -- The smoothed interval between requests in seconds, and from how many writes it was learned.
  usual_interval REAL,
  intervals INTEGER NOT NULL DEFAULT 0,
  -- Whether it was logged that the reader is late.
  late_logged INTEGER NOT NULL DEFAULT 0 CHECK (late_logged IN (0, 1)),
  -- The 200s and the 304s of each day, as a JSON object {date: [3, 21]}.
  days TEXT NOT NULL DEFAULT '{}' CHECK (json_type(days) = 'object'),
  -- The last deliveries of different states, newest last, as JSON: [[time, number of the last change, time of its confirmation]].
  history TEXT NOT NULL DEFAULT '[]' CHECK (json_type(history) = 'array'),
  -- A delivery is sent when the runtime took the whole body: buffers between the Worker and the reader take small bodies whole.
  -- It is confirmed once the reader came back with a validator that only this response can have given it.
  confirmed_at INTEGER,
  PRIMARY KEY (reader_id, feed)
) STRICT, WITHOUT ROWID;

-- Keeps the hundred feeds that a reader requested last. Each set of parameters is a feed, and pages and lists read all of a reader.
CREATE TRIGGER deliveries_inserted AFTER INSERT ON deliveries
BEGIN
  DELETE FROM deliveries
   WHERE reader_id = NEW.reader_id AND feed IN (
           SELECT d.feed FROM deliveries d WHERE d.reader_id = NEW.reader_id ORDER BY d.last_seen_at DESC LIMIT -1 OFFSET 100
         )
; END;
