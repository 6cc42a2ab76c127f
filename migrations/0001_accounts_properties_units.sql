-- The data of an agency: its account, its vocabulary, its properties and the units of its developments.
-- Times are whole seconds since 1970-01-01 UTC. Flags are 0 or 1. Languages are the feed's codes 1 to 10.

CREATE TABLE accounts (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  code TEXT NOT NULL UNIQUE CHECK (length(code) BETWEEN 1 AND 40 AND code NOT GLOB '*[^A-Z0-9._-]*'),
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  password TEXT NOT NULL CHECK (password GLOB '$pbkdf2-sha256$i=[0-9]*$?*$?*'),
  disabled INTEGER NOT NULL DEFAULT 0 CHECK (disabled IN (0, 1)),
  sale_revision INTEGER NOT NULL DEFAULT 0,
  rental_revision INTEGER NOT NULL DEFAULT 0,
  vocabulary_revision INTEGER NOT NULL DEFAULT 0,
  sale_changed_at INTEGER NOT NULL DEFAULT (unixepoch()),
  rental_changed_at INTEGER NOT NULL DEFAULT (unixepoch())
) STRICT;

-- 500 running numbers of an account: number n lies in segment (n - 1) / 500.
CREATE TABLE segments (
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  segment INTEGER NOT NULL CHECK (segment >= 0),
  sale_revision INTEGER NOT NULL DEFAULT 0,
  rental_revision INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, segment)
) STRICT, WITHOUT ROWID;

-- A current type with its subtype, and the older type that stands for both.
CREATE TABLE property_types (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  code TEXT NOT NULL CHECK (length(code) BETWEEN 1 AND 200),
  UNIQUE (account_id, code),
  UNIQUE (account_id, id)
) STRICT;

CREATE TABLE property_type_labels (
  type_id INTEGER NOT NULL REFERENCES property_types (id) ON DELETE CASCADE,
  language INTEGER NOT NULL CHECK (language BETWEEN 1 AND 10),
  older_type TEXT NOT NULL CHECK (length(older_type) BETWEEN 1 AND 200),
  type TEXT NOT NULL CHECK (length(type) BETWEEN 1 AND 200),
  subtype TEXT CHECK (length(subtype) BETWEEN 1 AND 200),
  PRIMARY KEY (type_id, language)
) STRICT, WITHOUT ROWID;

CREATE TABLE feature_categories (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  code TEXT NOT NULL CHECK (length(code) BETWEEN 1 AND 200),
  UNIQUE (account_id, code),
  UNIQUE (account_id, id)
) STRICT;

CREATE TABLE feature_category_labels (
  category_id INTEGER NOT NULL REFERENCES feature_categories (id) ON DELETE CASCADE,
  language INTEGER NOT NULL CHECK (language BETWEEN 1 AND 10),
  label TEXT NOT NULL CHECK (length(label) BETWEEN 1 AND 200),
  PRIMARY KEY (category_id, language)
) STRICT, WITHOUT ROWID;

CREATE TABLE features (
  id INTEGER PRIMARY KEY,
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
  language INTEGER NOT NULL CHECK (language BETWEEN 1 AND 10),
  label TEXT NOT NULL CHECK (length(label) BETWEEN 1 AND 200),
  PRIMARY KEY (feature_id, language)
) STRICT, WITHOUT ROWID;

CREATE TABLE developments (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  identifier TEXT NOT NULL CHECK (length(identifier) BETWEEN 1 AND 100),
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 200),
  UNIQUE (account_id, identifier),
  UNIQUE (account_id, id)
) STRICT;

-- Unit names are kept in Unicode NFC by every writer. `directions` is JSON: short text codes, or lists of them.
CREATE TABLE units (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL,
  development_id INTEGER NOT NULL,
  name TEXT NOT NULL CHECK (length(name) <= 200),
  status INTEGER NOT NULL CHECK (status IN (1, 2, 4, 8)),
  price REAL NOT NULL CHECK (price > -9e999 AND price < 9e999),
  directions TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(directions) AND json_type(directions) = 'array' AND length(directions) <= 65536),
  version INTEGER NOT NULL DEFAULT 1,
  changed_at INTEGER NOT NULL DEFAULT (unixepoch()),
  feed_status TEXT NOT NULL GENERATED ALWAYS AS (
    CASE status WHEN 1 THEN 'Available' WHEN 2 THEN 'Under Offer' WHEN 8 THEN 'Sale Agreed' ELSE 'Sold' END
  ) VIRTUAL,
  UNIQUE (development_id, name),
  UNIQUE (account_id, id),
  FOREIGN KEY (account_id, development_id) REFERENCES developments (account_id, id) ON DELETE CASCADE
) STRICT;

CREATE TABLE unit_history (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL,
  unit_id INTEGER NOT NULL,
  changed_at INTEGER NOT NULL DEFAULT (unixepoch()),
  client_id TEXT NOT NULL,
  from_status INTEGER NOT NULL,
  to_status INTEGER NOT NULL,
  from_price REAL NOT NULL,
  to_price REAL NOT NULL,
  from_directions TEXT NOT NULL,
  to_directions TEXT NOT NULL,
  FOREIGN KEY (account_id, unit_id) REFERENCES units (account_id, id) ON DELETE CASCADE
) STRICT;

CREATE INDEX unit_history_of_unit ON unit_history (account_id, unit_id, id);

-- `off_market`: in no feed, whatever a unit says; a property that is a unit of a development is sold when its unit is.
-- `bath` is the value as the application saved it: baths plus toilets in one number, 4.5 for 4 baths and 1 toilet.
-- `sale_updated_at`, `rental_updated_at`: when anything last changed that a sale feed, or a rental feed, shows of it.
-- Areas are whole square metres.
CREATE TABLE properties (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  number INTEGER NOT NULL CHECK (number >= 1),
  identifier TEXT NOT NULL CHECK (
    length(identifier) BETWEEN 1 AND 100 AND trim(identifier) = identifier
    AND identifier NOT GLOB '*[' || char(1, 45, 31, 65534, 65535) || ']*' AND instr(CAST(identifier AS BLOB), X'00') = 0
  ),
  reference TEXT NOT NULL CHECK (length(reference) BETWEEN 1 AND 255),
  type_id INTEGER NOT NULL,
  unit_id INTEGER UNIQUE,
  status TEXT NOT NULL CHECK (status IN ('Available', 'Under Offer', 'Sale Agreed', 'Sold', 'Withdrawn')),
  off_market INTEGER NOT NULL GENERATED ALWAYS AS (status = 'Withdrawn' OR (status = 'Sold' AND unit_id IS NULL)) VIRTUAL,
  rented INTEGER NOT NULL DEFAULT 0 CHECK (rented IN (0, 1)),
  on_own_website INTEGER NOT NULL DEFAULT 1 CHECK (on_own_website IN (0, 1)),
  on_other_websites INTEGER NOT NULL DEFAULT 1 CHECK (on_other_websites IN (0, 1)),
  listed_at INTEGER NOT NULL CHECK (listed_at BETWEEN 0 AND 253402300799),
  source_changed_at INTEGER CHECK (source_changed_at BETWEEN 0 AND 253402300799),
  sale_updated_at INTEGER NOT NULL DEFAULT 0 CHECK (sale_updated_at BETWEEN 0 AND 253402300799),
  rental_updated_at INTEGER NOT NULL DEFAULT 0 CHECK (rental_updated_at BETWEEN 0 AND 253402300799),
  currency TEXT NOT NULL DEFAULT 'EUR' CHECK (currency GLOB '[A-Z][A-Z][A-Z]'),
  town TEXT NOT NULL CHECK (length(town) BETWEEN 1 AND 200),
  area TEXT CHECK (length(area) <= 200),
  province TEXT NOT NULL CHECK (length(province) BETWEEN 1 AND 200),
  country TEXT CHECK (length(country) <= 200),
  postcode TEXT CHECK (length(postcode) <= 40),
  latitude REAL CHECK (latitude BETWEEN -90 AND 90),
  longitude REAL CHECK (longitude BETWEEN -180 AND 180),
  beds INTEGER NOT NULL DEFAULT 0 CHECK (beds BETWEEN 0 AND 10000),
  bath REAL NOT NULL DEFAULT 0 CHECK (bath BETWEEN 0 AND 10000),
  built_area INTEGER CHECK (built_area BETWEEN 0 AND 1000000000),
  plot_area INTEGER CHECK (plot_area BETWEEN 0 AND 1000000000),
  terrace_area INTEGER CHECK (terrace_area BETWEEN 0 AND 1000000000),
  living_area INTEGER CHECK (living_area BETWEEN 0 AND 1000000000),
  built_year INTEGER CHECK (built_year BETWEEN 1 AND 9999),
  community_fees REAL CHECK (community_fees > -9e999 AND community_fees < 9e999),
  garbage_tax REAL CHECK (garbage_tax > -9e999 AND garbage_tax < 9e999),
  ibi_fees REAL CHECK (ibi_fees > -9e999 AND ibi_fees < 9e999),
  cadastral_ref TEXT CHECK (length(cadastral_ref) <= 200),
  new_build INTEGER NOT NULL DEFAULT 0 CHECK (new_build IN (0, 1)),
  has_pool INTEGER NOT NULL DEFAULT 0 CHECK (has_pool IN (0, 1)),
  has_garden INTEGER NOT NULL DEFAULT 0 CHECK (has_garden IN (0, 1)),
  has_garage INTEGER NOT NULL DEFAULT 0 CHECK (has_garage IN (0, 1)),
  emissions TEXT NOT NULL DEFAULT 'X' CHECK (emissions GLOB '[A-GX]'),
  consumption TEXT NOT NULL DEFAULT 'X' CHECK (consumption GLOB '[A-GX]'),
  virtual_tour_url TEXT CHECK (length(virtual_tour_url) <= 1024),
  video_url TEXT CHECK (length(video_url) <= 1024),
  UNIQUE (account_id, number),
  UNIQUE (account_id, identifier),
  FOREIGN KEY (account_id, type_id) REFERENCES property_types (account_id, id),
  FOREIGN KEY (account_id, unit_id) REFERENCES units (account_id, id),
  CHECK ((latitude IS NULL) = (longitude IS NULL))
) STRICT;

CREATE INDEX properties_of_type ON properties (type_id);

-- `price` is the sale price unless the property is a unit, whose own price counts; NULL is on request.
-- `minimum_price` is the least net price that the vendor accepts; 0 is not set.
CREATE TABLE sale_offers (
  property_id INTEGER PRIMARY KEY REFERENCES properties (id) ON DELETE CASCADE,
  price REAL CHECK (price > -9e999 AND price < 9e999),
  minimum_price REAL NOT NULL DEFAULT 0 CHECK (minimum_price > -9e999 AND minimum_price < 9e999)
) STRICT;

-- `rent` is per month.
CREATE TABLE long_term_offers (
  property_id INTEGER PRIMARY KEY REFERENCES properties (id) ON DELETE CASCADE,
  rent REAL CHECK (rent > -9e999 AND rent < 9e999)
) STRICT;

-- `low` and `high` are per week, in the low and in the high season.
CREATE TABLE short_term_offers (
  property_id INTEGER PRIMARY KEY REFERENCES properties (id) ON DELETE CASCADE,
  low REAL CHECK (low > -9e999 AND low < 9e999),
  high REAL CHECK (high > -9e999 AND high < 9e999),
  license TEXT CHECK (length(license) <= 200)
) STRICT;

CREATE TABLE property_texts (
  property_id INTEGER NOT NULL REFERENCES properties (id) ON DELETE CASCADE,
  language INTEGER NOT NULL CHECK (language BETWEEN 1 AND 10),
  description TEXT CHECK (length(CAST(description AS BLOB)) <= 65536),
  url TEXT CHECK (length(url) <= 1024),
  PRIMARY KEY (property_id, language)
) STRICT;

-- No line feed in an address: a property's addresses are read as one text, a line each.
CREATE TABLE pictures (
  property_id INTEGER NOT NULL REFERENCES properties (id) ON DELETE CASCADE,
  position INTEGER NOT NULL CHECK (position BETWEEN 1 AND 1000),
  url TEXT NOT NULL CHECK (length(CAST(url AS BLOB)) BETWEEN 1 AND 1024 AND instr(url, char(10)) = 0),
  PRIMARY KEY (property_id, position)
) STRICT, WITHOUT ROWID;

CREATE TABLE property_features (
  property_id INTEGER NOT NULL REFERENCES properties (id) ON DELETE CASCADE,
  position INTEGER NOT NULL CHECK (position BETWEEN 1 AND 200),
  feature_id INTEGER NOT NULL REFERENCES features (id),
  PRIMARY KEY (property_id, position),
  UNIQUE (feature_id, property_id)
) STRICT, WITHOUT ROWID;
