-- Developments, their units, and the history of each unit.

CREATE TABLE developments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  identifier TEXT NOT NULL,
  name TEXT NOT NULL GENERATED ALWAYS AS (document ->> '$.name') STORED,
  -- The document without its kind and id, as JSON.
  document TEXT NOT NULL CHECK (json_valid(document)),
  UNIQUE (account_id, identifier),
  UNIQUE (account_id, id)
) STRICT;

CREATE TABLE units (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL,
  development_id INTEGER NOT NULL,
  -- In Unicode NFC, which writers must ensure. Permanent, like the development.
  name TEXT NOT NULL CHECK (length(name) <= 200),
  -- 1 available, 2 on hold, 4 sold, 8 reserved.
  status INTEGER NOT NULL CHECK (status IN (1, 2, 4, 8)),
  price REAL NOT NULL CHECK (price > -9e999 AND price < 9e999),
  -- JSON: an array of short text codes, or of arrays of them.
  directions TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(directions) AND length(directions) <= 65536),
  -- Counts the changes of the unit.
  version INTEGER NOT NULL DEFAULT 1,
  changed_at INTEGER NOT NULL DEFAULT (unixepoch()),
  -- The number of the last change among those of the account.
  change INTEGER NOT NULL DEFAULT 0,
  -- The status of the property that is this unit.
  feed_status TEXT NOT NULL GENERATED ALWAYS AS (
    iif(status = 1, 'Available', iif(status = 2, 'Under Offer', iif(status = 8, 'Sale Agreed', 'Sold')))
  ) VIRTUAL,
  UNIQUE (development_id, name),
  UNIQUE (account_id, id),
  FOREIGN KEY (account_id, development_id) REFERENCES developments (account_id, id) ON DELETE CASCADE
) STRICT;

CREATE INDEX units_by_change ON units (account_id, change) WHERE change > 0;

CREATE TABLE removed_units (
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  development TEXT NOT NULL,
  name TEXT NOT NULL,
  change INTEGER NOT NULL,
  PRIMARY KEY (account_id, development, name)
) STRICT, WITHOUT ROWID;

CREATE INDEX removed_units_by_change ON removed_units (account_id, change);

-- Every change of a unit: from what, to what, and who made it.
CREATE TABLE unit_history (
  unit_id INTEGER NOT NULL REFERENCES units (id) ON DELETE CASCADE,
  -- Of the unit, with this change.
  version INTEGER NOT NULL,
  account_id INTEGER NOT NULL,
  changed_at INTEGER NOT NULL DEFAULT (unixepoch()),
  -- See src/portfolio/actor.ts.
  actor TEXT NOT NULL,
  from_status INTEGER NOT NULL,
  to_status INTEGER NOT NULL,
  from_price REAL NOT NULL,
  to_price REAL NOT NULL,
  from_directions TEXT NOT NULL,
  to_directions TEXT NOT NULL,
  PRIMARY KEY (unit_id, version)
) STRICT, WITHOUT ROWID;
