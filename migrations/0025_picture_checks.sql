-- What the background check of pictures that are elsewhere knows: a row for each address that a listed property of the account names.

CREATE TABLE picture_checks (
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  address TEXT NOT NULL,
  checked_at INTEGER NOT NULL DEFAULT 0,
  -- How often in a row it could not be fetched, since when, and the status of the last answer: 0 for none.
  failures INTEGER NOT NULL DEFAULT 0,
  failing_since INTEGER,
  status INTEGER,
  PRIMARY KEY (account_id, address)
) STRICT, WITHOUT ROWID;

CREATE INDEX picture_checks_failing ON picture_checks (account_id) WHERE failures > 0;

-- Accounts that have addresses to check. The one that has waited longest is next. While somebody checks, it is not due.
CREATE TABLE picture_check_turns (
  account_id INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  due_at INTEGER NOT NULL DEFAULT (unixepoch())
) STRICT;

-- When the next request may be sent to a host, in milliseconds, whichever account it is for.
CREATE TABLE host_paces (
  host TEXT PRIMARY KEY,
  free_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
