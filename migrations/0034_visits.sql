-- What readers were answered, request by request: [[from, until, how many, [answer, status, records, bytes, program]]], newest last. The
-- last fifty are in the row that counts them, which is written anyway. Then they become a row of their own.

ALTER TABLE deliveries ADD COLUMN visits TEXT NOT NULL DEFAULT '[]' CHECK (json_type(visits) = 'array');

CREATE TABLE earlier_visits (
  reader_id INTEGER NOT NULL REFERENCES readers (id) ON DELETE CASCADE,
  -- When the row was written: none of its visits was later.
  written_at INTEGER NOT NULL,
  feed TEXT NOT NULL CHECK (length(feed) BETWEEN 1 AND 450),
  visits TEXT NOT NULL CHECK (json_type(visits) = 'array'),
  PRIMARY KEY (reader_id, written_at, feed)
) STRICT, WITHOUT ROWID;
