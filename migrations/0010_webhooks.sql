-- Webhooks: addresses that are called when an account has news.

CREATE TABLE webhooks (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  name TEXT NOT NULL CHECK (name NOT GLOB '*[^a-z0-9._-]*' AND length(name) BETWEEN 1 AND 40),
  url TEXT NOT NULL,
  -- The types of news that it receives.
  events TEXT NOT NULL CHECK (json_type(events) = 'array'),
  -- The origin of this service in the URLs that calls contain.
  origin TEXT NOT NULL,
  -- Encrypted. The old one also signs until it expires.
  secret TEXT NOT NULL,
  old_secret TEXT,
  old_secret_expires_at INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL DEFAULT (unixepoch()),
  enabled INTEGER NOT NULL DEFAULT 1 CHECK (enabled IN (0, 1)),
  -- Why the service has disabled it: it answered 410, or no call has succeeded for three days.
  disabled_because TEXT CHECK (disabled_because IN ('gone', 'failing')),
  -- All news of the account up to this number have been received.
  confirmed_number INTEGER NOT NULL,
  -- The last number in the call that is under way. A repeated call has the same id and no later news.
  pending_number INTEGER,
  -- How often the confirmed number has been set back, or the news to receive or the URL have changed.
  replays INTEGER NOT NULL DEFAULT 0,
  -- The time in milliseconds until which a call can be under way. 0 if there is none.
  sending_until INTEGER NOT NULL DEFAULT 0,
  failures INTEGER NOT NULL DEFAULT 0,
  failing_since INTEGER,
  next_attempt_at INTEGER NOT NULL DEFAULT 0,
  UNIQUE (account_id, name)
) STRICT;

-- The last calls of each webhook.
CREATE TABLE webhook_attempts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  webhook_id INTEGER NOT NULL REFERENCES webhooks (id) ON DELETE CASCADE,
  attempted_at INTEGER NOT NULL,
  message_id TEXT NOT NULL,
  -- How many news the call contained.
  events INTEGER NOT NULL,
  -- NULL if there was no response. The error then says why.
  status INTEGER,
  error TEXT,
  milliseconds INTEGER NOT NULL,
  -- The beginning of the response.
  response TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE INDEX webhook_attempts_by_webhook ON webhook_attempts (webhook_id, id);

-- News of an account other than changes of properties and units. Their numbers are among those of the changes of the account.
CREATE TABLE account_events (
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  change INTEGER NOT NULL,
  type TEXT NOT NULL,
  -- What it is about, such as the name of a reader.
  subject TEXT,
  happened_at INTEGER NOT NULL DEFAULT (unixepoch()),
  PRIMARY KEY (account_id, change)
) STRICT, WITHOUT ROWID;
