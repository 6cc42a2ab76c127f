-- What readers were to get before each change of it, so that it can be undone.
CREATE TABLE reader_history (
  reader_id INTEGER NOT NULL REFERENCES readers (id) ON DELETE CASCADE,
  -- The changes of a reader in their order.
  number INTEGER NOT NULL,
  changed_at INTEGER NOT NULL DEFAULT (unixepoch()),
  actor TEXT NOT NULL,
  preset TEXT NOT NULL,
  fixed INTEGER NOT NULL CHECK (fixed IN (0, 1)),
  -- Of a channel that may have been deleted since.
  channel_id INTEGER,
  policy TEXT NOT NULL,
  PRIMARY KEY (reader_id, number)
) STRICT, WITHOUT ROWID;
