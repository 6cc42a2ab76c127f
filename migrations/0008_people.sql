-- Sessions of the console that have ended before they expire. The session itself is a signed cookie, so only its end is stored.
CREATE TABLE ended_sessions (
  -- The random id in the cookie.
  id TEXT PRIMARY KEY CHECK (length(id) = 22),
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  -- When the cookie expires. The row is not needed any longer then.
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX ended_sessions_of_account ON ended_sessions (account_id);

-- People who sign in to the console with a name and a password of their own, and what they did.

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
