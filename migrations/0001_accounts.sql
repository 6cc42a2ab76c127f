-- Accounts and their vocabulary: types of properties, features and categories of features.
-- Times are whole seconds since 1970-01-01 UTC. Flags are 0 or 1.

CREATE TABLE accounts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  code TEXT NOT NULL UNIQUE CHECK (length(code) BETWEEN 1 AND 40 AND code NOT GLOB '*[^A-Z0-9._-]*'),
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  password TEXT NOT NULL CHECK (password GLOB '$pbkdf2-sha256$i=[0-9]*$?*$?*' OR password GLOB '$sha256$[0-9a-f]*'),
  disabled INTEGER NOT NULL DEFAULT 0 CHECK (disabled IN (0, 1)),
  -- The number of the last change, and when it was made. The triggers of 0004_changes.sql count.
  changes INTEGER NOT NULL DEFAULT 0,
  changed_at INTEGER NOT NULL DEFAULT (unixepoch()),
  -- The segments of the account that have a listed property: {segment: [number of its last change, bytes of its listed properties]}.
  segments TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(segments)),
  -- The number of the last change of each development and of its units: {id: number}.
  developments TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(developments)),
  -- The number of the last change of the vocabulary.
  vocabulary INTEGER NOT NULL DEFAULT 0,
  -- The number of the last change of which property is which unit, or of a development: a format that shows units within their
  -- developments has such a property in another part.
  units_moved INTEGER NOT NULL DEFAULT 0,
  -- Advances when the database of the account has been restored to an earlier state: numbers and ids may then be given out a
  -- second time, so every ETag, cache key and cursor contains it. Moving an account does not change it.
  incarnation INTEGER NOT NULL DEFAULT 1,
  -- Whether nothing of the account can be changed, because it is being moved to another database.
  frozen INTEGER NOT NULL DEFAULT 0 CHECK (frozen IN (0, 1)),
  -- What new readers may see, in the form of readers.policy.
  policy TEXT NOT NULL DEFAULT '' CHECK (length(policy) <= 200),
  -- The place that readers see instead of the true one, if their policy moves it, derives from this and the true one.
  place_secret TEXT NOT NULL DEFAULT (hex(randomblob(32))),
  -- What names of types and features in files of an account mean: the codes of built-in ones by kind and name, as JSON.
  import_names TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(import_names) AND length(import_names) <= 200000),
  -- What the account has stated once for all readers of a format: queries by the name of the format, as JSON.
  format_settings TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(format_settings))
) STRICT;

CREATE TABLE vocabulary (
  -- The order in which feeds list categories.
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  kind TEXT NOT NULL CHECK (kind IN ('type', 'category', 'feature')),
  code TEXT NOT NULL,
  -- The document without its kind and code, as JSON.
  document TEXT NOT NULL CHECK (json_valid(document)),
  UNIQUE (account_id, kind, code)
) STRICT;
