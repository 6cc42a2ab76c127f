-- Accounts in several databases: which database has an account, moves between databases, restored databases, and the
-- periodic tasks, which walk the accounts.

-- Which time line the numbers of this database belong to. After the database has been restored to an earlier
-- state, the operator advances it.
CREATE TABLE time_line (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  incarnation INTEGER NOT NULL,
  -- New ids are at least this times 2 to the power of 36. No two databases have the same, so an id names one row of them all.
  id_range INTEGER NOT NULL DEFAULT 0,
  -- In the first database: the last range that was given to a database.
  last_id_range INTEGER NOT NULL DEFAULT 0
) STRICT;

INSERT INTO time_line (id, incarnation) VALUES (1, 1);

-- In the first database: which accounts another database has, by the name of its binding. An account that is not here is
-- in the first database. It can be computed from the databases, and is after a restore.
CREATE TABLE directory (
  account TEXT PRIMARY KEY,
  database TEXT NOT NULL CHECK (database = 'DB' OR database GLOB 'DB_[1-9]*')
) STRICT, WITHOUT ROWID;

CREATE TABLE directory_clients (
  client TEXT PRIMARY KEY,
  account TEXT NOT NULL REFERENCES directory (account) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX directory_clients_of_account ON directory_clients (account);

-- The accounts of this database that are being moved, or that have been.
CREATE TABLE moves (
  account_id INTEGER PRIMARY KEY,
  code TEXT NOT NULL,
  -- The binding of the other database.
  other TEXT NOT NULL,
  -- Here: leaving while its rows are copied and cannot be changed, left once the other database has it.
  -- There: arriving until it is complete.
  state TEXT NOT NULL CHECK (state IN ('leaving', 'left', 'arriving')),
  changed_at INTEGER NOT NULL DEFAULT (unixepoch())
) STRICT;

-- How far each periodic task has come in its walk through the accounts, in the order of their ids.
CREATE TABLE walks (
  task TEXT PRIMARY KEY,
  after_id INTEGER NOT NULL,
  begun_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- In the first database: what the operator has started and takes longer than a request.
CREATE TABLE operations (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  kind TEXT NOT NULL CHECK (kind IN ('move', 'undo move', 'delete', 'restored')),
  -- The code of the account, and the binding of the database that the operation is about.
  account TEXT,
  database TEXT,
  state TEXT NOT NULL DEFAULT 'waiting' CHECK (state IN ('waiting', 'running', 'finished', 'failed')),
  -- How far it has come, or its result.
  detail TEXT NOT NULL DEFAULT '',
  -- Until then, nobody else continues it.
  leased_until INTEGER NOT NULL DEFAULT 0,
  created_at INTEGER NOT NULL DEFAULT (unixepoch()),
  ended_at INTEGER
) STRICT;
