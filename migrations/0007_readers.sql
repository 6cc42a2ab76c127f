-- Channels: which properties a reader gets. One without a channel gets all.

CREATE TABLE channels (
  -- Random, so that no other channel of any database ever has it, and no counter is written.
  id INTEGER NOT NULL DEFAULT (random() & 0xfffffffffffff),
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 40 AND name NOT GLOB '*[^a-z0-9._-]*'),
  -- Counts the changes of which listed properties it has: of all, and of each segment as a JSON object {segment: revision}.
  revision INTEGER NOT NULL DEFAULT 0,
  segments TEXT NOT NULL DEFAULT '{}' CHECK (json_type(segments) = 'object'),
  changed_at INTEGER NOT NULL DEFAULT (unixepoch()),
  -- The developments of which it has ever had a unit, as a JSON object of their ids: it can contain these and no others.
  developments TEXT NOT NULL DEFAULT '{}' CHECK (json_type(developments) = 'object'),
  PRIMARY KEY (account_id, id),
  UNIQUE (account_id, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE property_channels (
  account_id INTEGER NOT NULL,
  sequence_number INTEGER NOT NULL,
  channel_id INTEGER NOT NULL,
  -- The revision of the channel that the assignment has made.
  revision INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, sequence_number, channel_id),
  FOREIGN KEY (account_id, sequence_number) REFERENCES properties (account_id, sequence_number) ON DELETE CASCADE,
  FOREIGN KEY (account_id, channel_id) REFERENCES channels (account_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE VIEW advance_channel (account_id, sequence_number, channel_id) AS SELECT 0, 0, 0 WHERE 0;

-- Withdrawn properties are in no feed. The time advances with every change, even if the clock has been set back.
CREATE TRIGGER advance_channel_called INSTEAD OF INSERT ON advance_channel
BEGIN
  UPDATE channels
     SET revision = revision + 1,
         segments = json_set(
           segments,
           '$.' || ((NEW.sequence_number - 1) / 500),
           coalesce(segments ->> ('$.' || ((NEW.sequence_number - 1) / 500)), 0) + 1
         ),
         changed_at = iif(unixepoch() < changed_at, changed_at + 1, unixepoch())
   WHERE account_id = NEW.account_id AND id = NEW.channel_id
     AND (SELECT listed FROM properties WHERE account_id = NEW.account_id AND sequence_number = NEW.sequence_number)
; END;

-- A writer that gives the revision of the assignment itself writes one row less.
CREATE TRIGGER property_channels_inserted AFTER INSERT ON property_channels
BEGIN
  INSERT INTO advance_channel VALUES (NEW.account_id, NEW.sequence_number, NEW.channel_id)
; UPDATE property_channels
     SET revision = (SELECT c.revision FROM channels c WHERE c.account_id = NEW.account_id AND c.id = NEW.channel_id)
   WHERE account_id = NEW.account_id AND sequence_number = NEW.sequence_number AND channel_id = NEW.channel_id
     AND revision < (SELECT c.revision FROM channels c WHERE c.account_id = NEW.account_id AND c.id = NEW.channel_id)
; END;

CREATE TRIGGER property_channels_deleted AFTER DELETE ON property_channels
BEGIN
  INSERT INTO advance_channel VALUES (OLD.account_id, OLD.sequence_number, OLD.channel_id)
; END;

CREATE TRIGGER property_channels_moved BEFORE UPDATE OF account_id, sequence_number, channel_id ON property_channels
BEGIN
  SELECT RAISE(ABORT, 'an assignment is inserted or deleted, never changed')
; END;

-- Developments that a channel can contain, since a property of theirs enters it or a property of it enters them.

CREATE VIEW enter_development (account_id, channel_id, development_id) AS SELECT 0, 0, 0 WHERE 0;

CREATE TRIGGER enter_development_called INSTEAD OF INSERT ON enter_development
BEGIN
  UPDATE channels
     SET developments = json_set(developments, '$.' || NEW.development_id, 1)
   WHERE account_id = NEW.account_id AND id = NEW.channel_id AND developments ->> ('$.' || NEW.development_id) IS NULL
; END;

CREATE TRIGGER property_channels_inserted_development AFTER INSERT ON property_channels
BEGIN
  INSERT INTO enter_development
  SELECT NEW.account_id, NEW.channel_id, u.development_id
    FROM properties p
    JOIN units u ON u.id = p.unit_id
   WHERE p.account_id = NEW.account_id AND p.sequence_number = NEW.sequence_number
; END;

CREATE TRIGGER properties_entered_development AFTER UPDATE OF unit_id ON properties
WHEN NEW.unit_id IS NOT NULL AND NEW.unit_id IS NOT OLD.unit_id
BEGIN
  INSERT INTO enter_development
  SELECT c.account_id, c.channel_id, u.development_id
    FROM property_channels c
    JOIN units u ON u.id = NEW.unit_id
   WHERE c.account_id = NEW.account_id AND c.sequence_number = NEW.sequence_number
; END;

CREATE TRIGGER units_entered_development AFTER UPDATE OF development_id ON units
WHEN NEW.development_id <> OLD.development_id
BEGIN
  INSERT INTO enter_development
  SELECT c.account_id, c.channel_id, NEW.development_id
    FROM properties p
    JOIN property_channels c ON c.account_id = p.account_id AND c.sequence_number = p.sequence_number
   WHERE p.unit_id = NEW.id
; END;

-- What a channel shows of a development has changed: its time advances, as that of the account does.

CREATE TRIGGER developments_updated_channels AFTER UPDATE OF identifier, name, details ON developments
WHEN (OLD.identifier, OLD.name, OLD.details) IS NOT (NEW.identifier, NEW.name, NEW.details)
BEGIN
  UPDATE channels
     SET changed_at = iif(unixepoch() < changed_at, changed_at + 1, unixepoch())
   WHERE account_id = NEW.account_id AND developments ->> ('$.' || NEW.id) IS NOT NULL
; END;

CREATE TRIGGER developments_deleted_channels AFTER DELETE ON developments
BEGIN
  UPDATE channels
     SET changed_at = iif(unixepoch() < changed_at, changed_at + 1, unixepoch())
   WHERE account_id = OLD.account_id AND developments ->> ('$.' || OLD.id) IS NOT NULL
; END;

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

-- Feeds show these settings, so readers that ask with the date of their last feed must get a new one.
CREATE TRIGGER accounts_format_settings_updated AFTER UPDATE OF format_settings ON accounts
WHEN OLD.format_settings <> NEW.format_settings
BEGIN
  UPDATE accounts
     SET sale_changed_at = max(unixepoch(), sale_changed_at + 1), rental_changed_at = max(unixepoch(), rental_changed_at + 1)
   WHERE id = NEW.id
; UPDATE channels SET changed_at = max(unixepoch(), changed_at + 1) WHERE account_id = NEW.id
; END;

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
  -- The same of the channel of the reader. NULL without one.
  channel_revision INTEGER,
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
  -- The last deliveries of different revisions, as a JSON array [[time, sale revision, rental revision, channel revision]], newest last. The
  -- time of its confirmation is the fifth entry of one that was confirmed.
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
