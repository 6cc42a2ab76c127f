-- What the report on an account takes from the database, apart from the properties themselves.

-- What an account has chosen for its reports. No row: rules for all portals, none muted.
CREATE TABLE report_settings (
  account_id INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  -- The portals that it sends its properties to, and the codes of the rules that it has muted: lists in JSON.
  portals TEXT NOT NULL CHECK (json_type(portals) = 'array'),
  muted TEXT NOT NULL CHECK (json_type(muted) = 'array')
) STRICT;

-- Properties whose price has changed by a factor of three or more, and has not come back.
CREATE TABLE price_jumps (
  property_id INTEGER PRIMARY KEY REFERENCES properties (id) ON DELETE CASCADE,
  account_id INTEGER NOT NULL,
  price_before REAL NOT NULL,
  price_after REAL NOT NULL,
  changed_at INTEGER NOT NULL DEFAULT (unixepoch())
) STRICT;

CREATE INDEX price_jumps_of_account ON price_jumps (account_id);
