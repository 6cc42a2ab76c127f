-- Which parts of feeds are kept in KV, and what is known of each without asking for it.
-- A row's name in KV is made of all the columns before `bytes`; a revision is NULL where the parameters do not depend on it.
-- `part` is a segment's number in a feed ordered by running number, or counts along the order of listing dates; then
-- `parts` says how many there are, and `numbers` which properties this one takes, as a JSON array of running numbers.
CREATE TABLE snapshots (
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  format INTEGER NOT NULL,
  parameters TEXT NOT NULL CHECK (length(parameters) BETWEEN 1 AND 400),
  part INTEGER NOT NULL CHECK (part >= 0),
  sale_revision INTEGER,
  rental_revision INTEGER,
  parts INTEGER,
  numbers TEXT CHECK (length(numbers) <= 10000),
  bytes INTEGER NOT NULL CHECK (bytes >= 0),
  crc INTEGER NOT NULL CHECK (crc BETWEEN 0 AND 4294967295),
  length INTEGER NOT NULL CHECK (length >= 0),
  kept_at INTEGER NOT NULL,
  used_at INTEGER NOT NULL,
  CHECK (sale_revision IS NOT NULL OR rental_revision IS NOT NULL),
  CHECK ((parts IS NULL) = (numbers IS NULL))
) STRICT;

-- coalesce, since NULLs are all different to a unique index.
CREATE UNIQUE INDEX snapshots_by_name ON snapshots (
  account_id, parameters, part, format, coalesce(sale_revision, -1), coalesce(rental_revision, -1)
);
CREATE INDEX snapshots_by_use ON snapshots (account_id, used_at);
