-- Sessions of the console that have ended before they expire. The session itself is a signed cookie, so only its end is stored.
CREATE TABLE ended_sessions (
  -- The random id in the cookie.
  id TEXT PRIMARY KEY CHECK (length(id) = 22),
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  -- When the cookie expires. The row is not needed any longer then.
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX ended_sessions_of_account ON ended_sessions (account_id);
