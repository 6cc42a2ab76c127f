-- Sessions of the console that have ended before they expire. The session itself is a signed cookie, so only its end is stored.
CREATE TABLE ended_sessions (
  -- The random id in the cookie.
  id TEXT PRIMARY KEY CHECK (length(id) = 22),
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  -- When the cookie expires. The row is not needed any longer then.
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX ended_sessions_of_account ON ended_sessions (account_id);

-- People who sign in to the console with a name and a password of their own, what they did, and what properties were before.

CREATE TABLE people (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  name TEXT NOT NULL COLLATE NOCASE CHECK (length(name) BETWEEN 1 AND 100),
  -- owner: everything. editor: everything but people, clients and passwords. viewer: changes nothing.
  role TEXT NOT NULL CHECK (role IN ('owner', 'editor', 'viewer')),
  -- As in accounts. NULL until the invitation is accepted.
  password TEXT CHECK (password GLOB '$pbkdf2-sha256$i=[0-9]*$?*$?*'),
  -- The sealed secret of RFC 6238. NULL without a second factor.
  totp_secret TEXT,
  -- The last time step whose code was accepted, so that no code is accepted twice.
  totp_step INTEGER NOT NULL DEFAULT 0,
  -- Wrong codes since the last right one, and until when no code is accepted after too many.
  totp_failures INTEGER NOT NULL DEFAULT 0,
  totp_locked_until INTEGER NOT NULL DEFAULT 0,
  -- SHA-256 of the random token in a link to choose a password, in lower-case hexadecimal. NULL once it is used.
  invitation TEXT UNIQUE CHECK (length(invitation) = 64),
  invitation_expires_at INTEGER,
  created_at INTEGER NOT NULL DEFAULT (unixepoch()),
  UNIQUE (account_id, name)
) STRICT;

-- Who did what in the console.
CREATE TABLE activity (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  happened_at INTEGER NOT NULL DEFAULT (unixepoch()),
  -- The name of a person. Empty for the password of the account.
  person TEXT NOT NULL,
  -- A code, such as portal.connected.
  action TEXT NOT NULL,
  -- What it was done to: the name of a portal, the id of a property.
  subject TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE INDEX activity_of_account ON activity (account_id, id);

-- Changes of the status and the prices of properties, whoever makes them.
CREATE TABLE property_history (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL,
  property_id INTEGER NOT NULL REFERENCES properties (id) ON DELETE CASCADE,
  changed_at INTEGER NOT NULL DEFAULT (unixepoch()),
  field TEXT NOT NULL CHECK (field IN ('status', 'sale_price', 'monthly_rent', 'low_season_rent', 'high_season_rent')),
  -- NULL for a price on request.
  before TEXT,
  after TEXT
) STRICT;

CREATE INDEX property_history_of_account ON property_history (account_id, id);
CREATE INDEX property_history_of_property ON property_history (property_id, id);

CREATE TRIGGER properties_prices_history AFTER UPDATE OF sale_price, monthly_rent, low_season_rent, high_season_rent ON properties
WHEN (OLD.sale_price, OLD.monthly_rent, OLD.low_season_rent, OLD.high_season_rent)
  IS NOT (NEW.sale_price, NEW.monthly_rent, NEW.low_season_rent, NEW.high_season_rent)
BEGIN
  INSERT INTO property_history (account_id, property_id, field, before, after)
  SELECT NEW.account_id, NEW.id, changed.field, changed.before, changed.after
    FROM (
      SELECT 'sale_price' AS field, OLD.sale_price AS before, NEW.sale_price AS after
       UNION ALL
      SELECT 'monthly_rent', OLD.monthly_rent, NEW.monthly_rent
       UNION ALL
      SELECT 'low_season_rent', OLD.low_season_rent, NEW.low_season_rent
       UNION ALL
      SELECT 'high_season_rent', OLD.high_season_rent, NEW.high_season_rent
    ) changed
   WHERE changed.before IS NOT changed.after
; END;

-- A property whose texts are written is withdrawn meanwhile, in the same version. So a withdrawal counts in a new version only,
-- and the return from one only if the status differs from the last that was recorded.
CREATE TRIGGER properties_status_history AFTER UPDATE OF status ON properties
WHEN OLD.status <> NEW.status AND iif(NEW.status = 'Withdrawn', OLD.version <> NEW.version, 1)
BEGIN
  INSERT INTO property_history (account_id, property_id, field, before, after)
  SELECT NEW.account_id, NEW.id, 'status', last.status, NEW.status
    FROM (
      SELECT iif(
               OLD.status <> 'Withdrawn', OLD.status,
               (SELECT h.after FROM property_history h WHERE h.property_id = NEW.id AND h.field = 'status' ORDER BY h.id DESC LIMIT 1)
             ) AS status
    ) last
   WHERE last.status <> NEW.status
; END;
