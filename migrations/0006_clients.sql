-- OAuth 2.0 clients of the token endpoint.

CREATE TABLE clients (
  id TEXT PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 100),
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  -- SHA-256 of a random secret, in lower-case hexadecimal.
  secret TEXT NOT NULL CHECK (length(secret) = 64 AND secret NOT GLOB '*[^0-9a-f]*'),
  -- The scopes, separated by spaces.
  scopes TEXT NOT NULL,
  disabled INTEGER NOT NULL DEFAULT 0 CHECK (disabled IN (0, 1)),
  created_at INTEGER NOT NULL DEFAULT (unixepoch())
) STRICT;

CREATE INDEX clients_of_account ON clients (account_id);
