-- The parts of feeds that are cached in KV, with everything that must be known of each before KV is read.

CREATE TABLE snapshots (
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  -- The columns from here to revision make the key in KV.
  -- The format of the feed and the version of the form of its documents, such as resales-5.
  format TEXT NOT NULL,
  parameters TEXT NOT NULL CHECK (length(parameters) BETWEEN 1 AND 450),
  -- The number of the segment. In a feed ordered by listing date, the position of the part in that order. From 1,000,000,000 on, a
  -- development.
  part INTEGER NOT NULL CHECK (part >= 0),
  -- That of the account, and the number of the last change in the part, or in the account if the feed is ordered by listing date.
  incarnation INTEGER NOT NULL,
  revision INTEGER NOT NULL,
  -- For a feed ordered by listing date: the number of its parts, and the numbers of the properties in this one as a JSON array.
  parts INTEGER,
  numbers TEXT,
  -- Size of the compressed bytes, and the CRC-32 and the length of what they inflate to.
  bytes INTEGER NOT NULL CHECK (bytes >= 0),
  crc INTEGER NOT NULL CHECK (crc BETWEEN 0 AND 4294967295),
  length INTEGER NOT NULL CHECK (length >= 0),
  -- The number of records in these bytes. With AR=TRUE, a property may have several.
  records INTEGER NOT NULL CHECK (records >= 0),
  cached_at INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL,
  -- The newest of each part: the others are stale.
  PRIMARY KEY (account_id, parameters, format, part)
) STRICT, WITHOUT ROWID;
