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
  -- Why the service has disabled it: it answered with 410, or no call has succeeded for days.
  disabled_because TEXT CHECK (disabled_because IN ('gone', 'failing')),
  -- The account's news up to this number have been received.
  confirmed_number INTEGER NOT NULL,
  -- The last number of the call that is under way or is repeated; a repeated call has the same id and no later news.
  pending_number INTEGER,
  -- How often the confirmed number has been set back.
  replays INTEGER NOT NULL DEFAULT 0,
  -- Until when a call may be under way, in milliseconds; 0 if there is none.
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
  -- Null if there was no answer; then the error says why.
  status INTEGER,
  error TEXT,
  milliseconds INTEGER NOT NULL,
  -- The beginning of the answer.
  answer TEXT NOT NULL DEFAULT ''
) STRICT;

CREATE INDEX webhook_attempts_by_webhook ON webhook_attempts (webhook_id, id);

-- News of an account that are no change of a property or unit, each with a number among those of the account's changes.
CREATE TABLE account_events (
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  change_number INTEGER NOT NULL,
  type TEXT NOT NULL,
  -- What it is about, such as the name of a reader.
  subject TEXT,
  happened_at INTEGER NOT NULL DEFAULT (unixepoch()),
  PRIMARY KEY (account_id, change_number)
) STRICT, WITHOUT ROWID;
