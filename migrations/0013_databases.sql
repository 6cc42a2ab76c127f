-- Accounts in several databases: which database has an account, moves between databases, restored databases, and the
-- periodic tasks, which walk the accounts.

-- Which time line the revisions and numbers of this database belong to. After the database has been restored to an earlier
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

CREATE TRIGGER accounts_inserted AFTER INSERT ON accounts WHEN NEW.incarnation = 0
BEGIN
  UPDATE accounts SET incarnation = (SELECT incarnation FROM time_line) WHERE id = NEW.id
; END;

-- The revision of the vocabulary and the times of change are not given out twice either. An incarnation is a time, which no
-- revision reaches.
CREATE TRIGGER time_line_advanced AFTER UPDATE OF incarnation ON time_line WHEN NEW.incarnation > OLD.incarnation
BEGIN
  UPDATE accounts
     SET incarnation = NEW.incarnation, vocabulary_revision = max(vocabulary_revision + 1, NEW.incarnation),
         sale_changed_at = max(unixepoch(), sale_changed_at + 1), rental_changed_at = max(unixepoch(), rental_changed_at + 1)
; END;

-- After a restore, a time of change is not given out twice.
CREATE TRIGGER channels_restored AFTER UPDATE OF incarnation ON time_line WHEN NEW.incarnation > OLD.incarnation
BEGIN
  UPDATE channels SET changed_at = max(unixepoch(), changed_at + 1)
; END;

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
  -- Here: leaving while its rows are copied, frozen while it can no longer be written, left once the other database has it.
  -- There: arriving until it is complete.
  state TEXT NOT NULL CHECK (state IN ('leaving', 'frozen', 'left', 'arriving')),
  changed_at INTEGER NOT NULL DEFAULT (unixepoch())
) STRICT;

-- The rows of the account that is leaving that are yet to be copied: all when the move begins, then those that change. Triggers
-- that exist only meanwhile note them.
CREATE TABLE moved_rows (
  -- Of the table among those that are copied: each follows the ones that it refers to.
  position INTEGER NOT NULL,
  table_name TEXT NOT NULL,
  -- The primary key: a JSON array.
  row_key TEXT NOT NULL,
  -- Counts the changes.
  version INTEGER NOT NULL,
  PRIMARY KEY (position, row_key)
) STRICT, WITHOUT ROWID;

-- How far each periodic task has come in its walk through the accounts, in the order of their ids.
CREATE TABLE walks (
  task TEXT PRIMARY KEY,
  after_id INTEGER NOT NULL,
  begun_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
