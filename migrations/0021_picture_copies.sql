-- Pictures at other addresses that the service is to copy, or could not. A row goes once its picture is copied, or no longer named.

CREATE TABLE picture_copies (
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  -- The identifier of the property.
  property TEXT NOT NULL,
  -- Where the picture is.
  address TEXT NOT NULL,
  -- Of the address that the copy gets.
  origin TEXT NOT NULL,
  -- Who has asked for it, such as person:Ana.
  actor TEXT NOT NULL,
  asked_at INTEGER NOT NULL DEFAULT (unixepoch()),
  -- Until when nobody else fetches it.
  leased_until INTEGER NOT NULL DEFAULT 0,
  attempts INTEGER NOT NULL DEFAULT 0,
  -- Why it could not be copied, as a coded message in JSON. Null while it is to be.
  reason TEXT,
  PRIMARY KEY (account_id, property, address)
) STRICT, WITHOUT ROWID;

CREATE INDEX picture_copies_waiting ON picture_copies (account_id, asked_at) WHERE reason IS NULL;
