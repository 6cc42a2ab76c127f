-- Sessions of the console. The session itself is a signed cookie: it is valid as long as its row is here.
DROP TABLE ended_sessions;

CREATE TABLE sessions (
  -- The random id in the cookie.
  id TEXT PRIMARY KEY CHECK (length(id) = 22),
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  -- Who has signed in, as the cookie says: person:7, the digest of the key of a reader, or nothing for the password of the account.
  subject TEXT NOT NULL,
  -- A digest of what the cookie is signed with, which another password or second factor changes.
  signed_with TEXT NOT NULL,
  -- What the browser calls itself.
  browser TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  -- To within five minutes, so that few requests write.
  last_used_at INTEGER NOT NULL,
  -- When the cookie expires. The row is not needed any longer then.
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX sessions_of_subject ON sessions (account_id, subject);
