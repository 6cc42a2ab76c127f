-- Accounts and their vocabulary: types of properties, features and categories of features, with labels in each language.
-- Times are whole seconds since 1970-01-01 UTC. Flags are 0 or 1. Languages have the codes of src/lib/languages.ts:
-- 1 to 14 are served by feeds, the others are only stored.

CREATE TABLE accounts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  code TEXT NOT NULL UNIQUE CHECK (length(code) BETWEEN 1 AND 40 AND code NOT GLOB '*[^A-Z0-9._-]*'),
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  password TEXT NOT NULL CHECK (password GLOB '$pbkdf2-sha256$i=[0-9]*$?*$?*' OR password GLOB '$sha256$[0-9a-f]*'),
  disabled INTEGER NOT NULL DEFAULT 0 CHECK (disabled IN (0, 1)),
  -- Count the changes that sale feeds show, those that rental feeds show, and those of labels.
  sale_revision INTEGER NOT NULL DEFAULT 0,
  rental_revision INTEGER NOT NULL DEFAULT 0,
  vocabulary_revision INTEGER NOT NULL DEFAULT 0,
  -- When the first two revisions or the settings of a format last changed.
  sale_changed_at INTEGER NOT NULL DEFAULT (unixepoch()),
  rental_changed_at INTEGER NOT NULL DEFAULT (unixepoch()),
  -- The revisions of each segment, as a JSON object {segment: [sale, rental]}. Segment n is the sequence numbers 500 n + 1 to
  -- 500 n + 500. They are in this row because every change writes it anyway, and every request for a feed reads it.
  segments TEXT NOT NULL DEFAULT '{}' CHECK (json_type(segments) = 'object'),
  -- The number of the last change: see 0009_changes.sql.
  change_number INTEGER NOT NULL DEFAULT 0,
  -- Advances when the database of the account has been restored to an earlier state: revisions and ids may then be given out a
  -- second time, so every ETag, cache key and cursor contains it. Moving an account does not change it.
  incarnation INTEGER NOT NULL DEFAULT 0,
  -- What new readers may see, in the form of readers.policy.
  policy TEXT NOT NULL DEFAULT '' CHECK (length(policy) <= 200),
  -- The place that readers see instead of the true one, if their policy moves it, derives from this and the true one.
  place_secret TEXT NOT NULL DEFAULT '',
  -- What names of types and features in files of an account mean: the codes of built-in ones by kind and name, as JSON.
  import_names TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(import_names) AND length(import_names) <= 200000),
  -- The revisions of each development, as a JSON object {development: [of its units and itself, of itself]}, and when the second
  -- of any last advanced. Feeds of new developments have a part for each development, which depends on these.
  developments TEXT NOT NULL DEFAULT '{}' CHECK (json_type(developments) = 'object'),
  developments_changed_at INTEGER NOT NULL DEFAULT 0,
  -- What the account has stated once for all readers of a format, as a JSON object of queries by the name of the format.
  format_settings TEXT NOT NULL DEFAULT '{}' CHECK (json_type(format_settings) = 'object')
) STRICT;

CREATE TABLE property_types (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  code TEXT NOT NULL CHECK (length(code) BETWEEN 1 AND 200),
  UNIQUE (account_id, code),
  UNIQUE (account_id, id)
) STRICT;

CREATE TABLE property_type_labels (
  type_id INTEGER NOT NULL REFERENCES property_types (id) ON DELETE CASCADE,
  language INTEGER NOT NULL CHECK (language BETWEEN 1 AND 99),
  -- The older set of types.
  older_type TEXT NOT NULL CHECK (length(older_type) BETWEEN 1 AND 200),
  older_subtype TEXT CHECK (length(older_subtype) BETWEEN 1 AND 200),
  -- The current set of types.
  type TEXT NOT NULL CHECK (length(type) BETWEEN 1 AND 200),
  subtype TEXT CHECK (length(subtype) BETWEEN 1 AND 200),
  PRIMARY KEY (type_id, language)
) STRICT, WITHOUT ROWID;

CREATE TABLE feature_categories (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  code TEXT NOT NULL CHECK (length(code) BETWEEN 1 AND 200),
  UNIQUE (account_id, code),
  UNIQUE (account_id, id)
) STRICT;

CREATE TABLE feature_category_labels (
  category_id INTEGER NOT NULL REFERENCES feature_categories (id) ON DELETE CASCADE,
  language INTEGER NOT NULL CHECK (language BETWEEN 1 AND 99),
  label TEXT NOT NULL CHECK (length(label) BETWEEN 1 AND 200),
  PRIMARY KEY (category_id, language)
) STRICT, WITHOUT ROWID;

CREATE TABLE features (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  category_id INTEGER NOT NULL,
  code TEXT NOT NULL CHECK (length(code) BETWEEN 1 AND 200),
  UNIQUE (account_id, code),
  UNIQUE (account_id, id),
  FOREIGN KEY (account_id, category_id) REFERENCES feature_categories (account_id, id)
) STRICT;

CREATE INDEX features_of_category ON features (category_id);

CREATE TABLE feature_labels (
  feature_id INTEGER NOT NULL REFERENCES features (id) ON DELETE CASCADE,
  language INTEGER NOT NULL CHECK (language BETWEEN 1 AND 99),
  label TEXT NOT NULL CHECK (length(label) BETWEEN 1 AND 200),
  PRIMARY KEY (feature_id, language)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER accounts_inserted_place_secret AFTER INSERT ON accounts WHEN NEW.place_secret = ''
BEGIN
  UPDATE accounts SET place_secret = hex(randomblob(32)) WHERE id = NEW.id
; END;
