-- Developments, their units, and the history of each unit.

CREATE TABLE developments (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  identifier TEXT NOT NULL CHECK (length(identifier) BETWEEN 1 AND 100),
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  -- What feeds of new developments show of a development, as JSON: the details in its document. NULL if nothing is stated.
  details TEXT CHECK (json_type(details) = 'object' AND length(CAST(details AS BLOB)) <= 1000000),
  UNIQUE (account_id, identifier),
  UNIQUE (account_id, id)
) STRICT;

CREATE TABLE units (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL,
  development_id INTEGER NOT NULL,
  -- In Unicode NFC. SQLite cannot check that, so every writer must normalize the name.
  name TEXT NOT NULL CHECK (length(name) <= 200),
  -- 1 available, 2 on hold, 4 sold, 8 reserved.
  status INTEGER NOT NULL CHECK (status IN (1, 2, 4, 8)),
  price REAL NOT NULL CHECK (price > -9e999 AND price < 9e999),
  -- JSON: an array of short text codes, or of arrays of them.
  directions TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(directions) AND json_type(directions) = 'array' AND length(directions) <= 65536),
  -- Counts the changes of the unit.
  version INTEGER NOT NULL DEFAULT 1,
  changed_at INTEGER NOT NULL DEFAULT (unixepoch()),
  feed_status TEXT NOT NULL GENERATED ALWAYS AS (
    iif(status = 1, 'Available', iif(status = 2, 'Under Offer', iif(status = 8, 'Sale Agreed', 'Sold')))
  ) VIRTUAL,
  -- The number of the last change: see 0009_changes.sql.
  change_number INTEGER NOT NULL DEFAULT 0,
  UNIQUE (development_id, name),
  UNIQUE (account_id, id),
  FOREIGN KEY (account_id, development_id) REFERENCES developments (account_id, id) ON DELETE CASCADE
) STRICT;

CREATE TABLE unit_history (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL,
  unit_id INTEGER NOT NULL,
  changed_at INTEGER NOT NULL DEFAULT (unixepoch()),
  client_id TEXT NOT NULL,
  version INTEGER NOT NULL, -- of the unit, with this change
  from_status INTEGER NOT NULL,
  to_status INTEGER NOT NULL,
  from_price REAL NOT NULL,
  to_price REAL NOT NULL,
  from_directions TEXT NOT NULL,
  to_directions TEXT NOT NULL,
  FOREIGN KEY (account_id, unit_id) REFERENCES units (account_id, id) ON DELETE CASCADE
) STRICT;

CREATE INDEX unit_history_of_unit ON unit_history (account_id, unit_id, id);

-- Inserting an entry into the history applies its values to the unit, so that neither exists without the other.
CREATE TRIGGER unit_history_inserted AFTER INSERT ON unit_history
BEGIN
  UPDATE units
     SET status = NEW.to_status, price = NEW.to_price, directions = NEW.to_directions
   WHERE id = NEW.unit_id AND account_id = NEW.account_id
; END;
