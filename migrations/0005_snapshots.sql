-- The parts of feeds that are cached in KV, with everything that must be known of each before KV is read.

CREATE TABLE snapshots (
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  -- The columns from here to rental_revision make the key in KV. A revision is NULL if the parameters do not depend on it.
  -- The format of the feed and the version of the form of its documents, such as resales-5.
  format TEXT NOT NULL,
  parameters TEXT NOT NULL CHECK (length(parameters) BETWEEN 1 AND 450),
  -- The number of the segment. In a feed ordered by listing date, the position of the part in that order.
  part INTEGER NOT NULL CHECK (part >= 0),
  sale_revision INTEGER,
  rental_revision INTEGER,
  -- The channel that the parameters name, whose revision is included in the two above. NULL for all properties.
  channel_id INTEGER,
  -- For a feed ordered by listing date: the number of its parts, and the sequence numbers in this one as a JSON array.
  parts INTEGER,
  sequence_numbers TEXT CHECK (length(sequence_numbers) <= 10000),
  -- Size of the compressed bytes, and the CRC-32 and the length of what they inflate to.
  bytes INTEGER NOT NULL CHECK (bytes >= 0),
  crc INTEGER NOT NULL CHECK (crc BETWEEN 0 AND 4294967295),
  length INTEGER NOT NULL CHECK (length >= 0),
  -- The number of records in these bytes. With AR=TRUE, a property may have several.
  records INTEGER NOT NULL CHECK (records >= 0),
  cached_at INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL,
  -- That of the account.
  incarnation INTEGER NOT NULL DEFAULT 1,
  -- The newest of each part: the others are stale.
  PRIMARY KEY (account_id, parameters, format, part),
  CHECK (sale_revision IS NOT NULL OR rental_revision IS NOT NULL),
  CHECK ((parts IS NULL) = (sequence_numbers IS NULL))
) STRICT, WITHOUT ROWID;
