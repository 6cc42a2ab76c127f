-- The schema that the files of migrations/ create, in their order. Written by a test, for reading only: see
-- migrations/README.md. Comments are only in those files.

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
  rental_changed_at INTEGER NOT NULL DEFAULT (unixepoch()),
  segments TEXT NOT NULL DEFAULT '{}' CHECK (json_type(segments) = 'object')
) STRICT;

CREATE TABLE property_types (
  id INTEGER PRIMARY KEY,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  code TEXT NOT NULL CHECK (length(code) BETWEEN 1 AND 200),
  UNIQUE (account_id, code),
  UNIQUE (account_id, id)
) STRICT;

CREATE TABLE property_type_labels (
  type_id INTEGER NOT NULL REFERENCES property_types (id) ON DELETE CASCADE,
  language INTEGER NOT NULL CHECK (language BETWEEN 1 AND 99),
  older_type TEXT NOT NULL CHECK (length(older_type) BETWEEN 1 AND 200),
  older_subtype TEXT CHECK (length(older_subtype) BETWEEN 1 AND 200),
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
  language INTEGER NOT NULL CHECK (language BETWEEN 1 AND 99),
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
  language INTEGER NOT NULL CHECK (language BETWEEN 1 AND 99),
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
    iif(status = 1, 'Available', iif(status = 2, 'Under Offer', iif(status = 8, 'Sale Agreed', 'Sold')))
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
  version INTEGER NOT NULL, 
  from_status INTEGER NOT NULL,
  to_status INTEGER NOT NULL,
  from_price REAL NOT NULL,
  to_price REAL NOT NULL,
  from_directions TEXT NOT NULL,
  to_directions TEXT NOT NULL,
  FOREIGN KEY (account_id, unit_id) REFERENCES units (account_id, id) ON DELETE CASCADE
) STRICT;

CREATE INDEX unit_history_of_unit ON unit_history (account_id, unit_id, id);

CREATE TRIGGER unit_history_inserted AFTER INSERT ON unit_history
BEGIN
  UPDATE units
     SET status = NEW.to_status, price = NEW.to_price, directions = NEW.to_directions
   WHERE id = NEW.unit_id AND account_id = NEW.account_id
; END;

CREATE TABLE properties (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  sequence_number INTEGER NOT NULL CHECK (sequence_number >= 1),
  identifier TEXT NOT NULL CHECK (
    length(identifier) BETWEEN 1 AND 100 AND trim(identifier) = identifier
    AND identifier NOT GLOB '*[' || char(1, 45, 31, 65534, 65535) || ']*' AND instr(CAST(identifier AS BLOB), X'00') = 0
  ),
  reference TEXT NOT NULL CHECK (length(reference) BETWEEN 1 AND 255),
  type_id INTEGER NOT NULL,
  unit_id INTEGER,
  status TEXT NOT NULL CHECK (status IN ('Available', 'Under Offer', 'Sale Agreed', 'Sold', 'Withdrawn')),
  listed INTEGER NOT NULL GENERATED ALWAYS AS (
    status <> 'Withdrawn' AND (status <> 'Sold' OR unit_id IS NOT NULL)
  ) VIRTUAL,
  rented INTEGER NOT NULL DEFAULT 0 CHECK (rented IN (0, 1)),
  on_own_website INTEGER NOT NULL DEFAULT 1 CHECK (on_own_website IN (0, 1)),
  on_other_websites INTEGER NOT NULL DEFAULT 1 CHECK (on_other_websites IN (0, 1)),
  listed_at INTEGER NOT NULL CHECK (listed_at BETWEEN 0 AND 253402300799),
  source_changed_at INTEGER CHECK (source_changed_at BETWEEN 0 AND 253402300799),
  sale_updated_at INTEGER NOT NULL DEFAULT 0 CHECK (sale_updated_at BETWEEN 0 AND 253402300799),
  rental_updated_at INTEGER NOT NULL DEFAULT 0 CHECK (rental_updated_at BETWEEN 0 AND 253402300799),
  sale_revision INTEGER NOT NULL DEFAULT 0,
  rental_revision INTEGER NOT NULL DEFAULT 0,
  currency TEXT NOT NULL DEFAULT 'EUR' CHECK (currency GLOB '[A-Z][A-Z][A-Z]'),
  for_sale INTEGER NOT NULL DEFAULT 0 CHECK (for_sale IN (0, 1)),
  sale_price REAL CHECK (sale_price > -9e999 AND sale_price < 9e999),
  minimum_price REAL NOT NULL DEFAULT 0 CHECK (minimum_price > -9e999 AND minimum_price < 9e999),
  for_long_term INTEGER NOT NULL DEFAULT 0 CHECK (for_long_term IN (0, 1)),
  monthly_rent REAL CHECK (monthly_rent > -9e999 AND monthly_rent < 9e999),
  for_short_term INTEGER NOT NULL DEFAULT 0 CHECK (for_short_term IN (0, 1)),
  low_season_rent REAL CHECK (low_season_rent > -9e999 AND low_season_rent < 9e999),
  high_season_rent REAL CHECK (high_season_rent > -9e999 AND high_season_rent < 9e999),
  rental_license TEXT CHECK (length(rental_license) <= 200),
  for_rent INTEGER NOT NULL GENERATED ALWAYS AS (for_long_term OR for_short_term) VIRTUAL,
  town TEXT NOT NULL CHECK (length(town) <= 200),
  area TEXT CHECK (length(area) <= 200),
  province TEXT NOT NULL CHECK (length(province) <= 200),
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
  has_pool INTEGER NOT NULL DEFAULT 0 CHECK (has_pool IN (0, 1)),
  has_garden INTEGER NOT NULL DEFAULT 0 CHECK (has_garden IN (0, 1)),
  has_garage INTEGER NOT NULL DEFAULT 0 CHECK (has_garage IN (0, 1)),
  emissions TEXT NOT NULL DEFAULT 'X' CHECK (emissions GLOB '[A-GX]'),
  consumption TEXT NOT NULL DEFAULT 'X' CHECK (consumption GLOB '[A-GX]'),
  virtual_tour_url TEXT CHECK (length(virtual_tour_url) <= 1024),
  video_url TEXT CHECK (length(video_url) <= 1024),
  features TEXT CHECK (features NOT GLOB '*[^0-9,]*' AND length(features) >= 1),
  pictures TEXT CHECK (
    length(CAST(pictures AS BLOB)) BETWEEN 1 AND 1024999
    AND length(CAST(pictures AS BLOB)) - length(CAST(replace(pictures, char(10), '') AS BLOB)) < 1000
    AND instr(char(10) || pictures || char(10), char(10, 10)) = 0
  ),
  new_build INTEGER NOT NULL DEFAULT 0 CHECK (new_build IN (0, 1)),
  leasehold INTEGER NOT NULL DEFAULT 0 CHECK (leasehold IN (0, 1)),
  part_ownership INTEGER NOT NULL DEFAULT 0 CHECK (part_ownership IN (0, 1)),
  prime INTEGER NOT NULL DEFAULT 0 CHECK (prime IN (0, 1)),
  commission TEXT CHECK (length(commission) <= 200),
  address TEXT CHECK (length(address) <= 500),
  floor TEXT CHECK (length(floor) <= 200),
  email TEXT CHECK (length(email) <= 320),
  notes TEXT CHECK (length(CAST(notes AS BLOB)) <= 65536),
  UNIQUE (account_id, sequence_number),
  UNIQUE (account_id, identifier),
  FOREIGN KEY (account_id, type_id) REFERENCES property_types (account_id, id),
  FOREIGN KEY (account_id, unit_id) REFERENCES units (account_id, id),
  CHECK ((latitude IS NULL) = (longitude IS NULL)),
  CHECK (for_sale OR (sale_price IS NULL AND minimum_price = 0)),
  CHECK (for_long_term OR monthly_rent IS NULL),
  CHECK (for_short_term OR (low_season_rent IS NULL AND high_season_rent IS NULL AND rental_license IS NULL))
) STRICT;

CREATE UNIQUE INDEX properties_of_unit ON properties (unit_id) WHERE unit_id IS NOT NULL;

CREATE INDEX properties_by_vocabulary ON properties (account_id, type_id, sequence_number, features);

CREATE TABLE property_texts (
  property_id INTEGER NOT NULL REFERENCES properties (id) ON DELETE CASCADE,
  language INTEGER NOT NULL CHECK (language BETWEEN 1 AND 99),
  title TEXT CHECK (length(title) <= 500),
  description TEXT CHECK (length(CAST(description AS BLOB)) <= 65536),
  url TEXT CHECK (length(url) <= 1024),
  PRIMARY KEY (property_id, language)
) STRICT;

CREATE TRIGGER properties_identifier_inserted BEFORE INSERT ON properties
BEGIN
  SELECT RAISE(ABORT, 'the identifier differs from that of another property only in an appended -LT or -ST')
   WHERE EXISTS (
     SELECT 1 FROM properties
      WHERE account_id = NEW.account_id
        AND identifier IN (
          NEW.identifier || '-LT', NEW.identifier || '-ST',
          iif(substr(NEW.identifier, -3) IN ('-LT', '-ST'), substr(NEW.identifier, 1, length(NEW.identifier) - 3), NULL)
        )
   )
; END;

CREATE TRIGGER properties_identifier_updated BEFORE UPDATE OF identifier ON properties
BEGIN
  SELECT RAISE(ABORT, 'the identifier differs from that of another property only in an appended -LT or -ST')
   WHERE EXISTS (
     SELECT 1 FROM properties
      WHERE account_id = NEW.account_id AND id <> NEW.id
        AND identifier IN (
          NEW.identifier || '-LT', NEW.identifier || '-ST',
          iif(substr(NEW.identifier, -3) IN ('-LT', '-ST'), substr(NEW.identifier, 1, length(NEW.identifier) - 3), NULL)
        )
   )
; END;

CREATE TRIGGER properties_moved BEFORE UPDATE OF id, account_id, sequence_number ON properties
WHEN (OLD.id, OLD.account_id, OLD.sequence_number) IS NOT (NEW.id, NEW.account_id, NEW.sequence_number)
BEGIN
  SELECT RAISE(ABORT, 'the account and the sequence number of a property are permanent')
; END;

CREATE TRIGGER property_texts_moved BEFORE UPDATE OF property_id ON property_texts WHEN OLD.property_id <> NEW.property_id
BEGIN
  SELECT RAISE(ABORT, 'a text belongs to its property permanently')
; END;

CREATE TRIGGER properties_features_inserted BEFORE INSERT ON properties WHEN NEW.features IS NOT NULL
BEGIN
  SELECT RAISE(ABORT, 'the features must be at most 200 distinct ids of features of the account')
   WHERE (
     SELECT count(*) > 200 OR count(*) <> count(DISTINCT f.id)
       FROM json_each('[' || NEW.features || ']') given
       LEFT JOIN features f ON f.id = given.value AND f.account_id = NEW.account_id
   )
; END;

CREATE TRIGGER properties_features_updated BEFORE UPDATE OF features ON properties
WHEN NEW.features IS NOT NULL AND NEW.features IS NOT OLD.features
BEGIN
  SELECT RAISE(ABORT, 'the features must be at most 200 distinct ids of features of the account')
   WHERE (
     SELECT count(*) > 200 OR count(*) <> count(DISTINCT f.id)
       FROM json_each('[' || NEW.features || ']') given
       LEFT JOIN features f ON f.id = given.value AND f.account_id = NEW.account_id
   )
; END;

CREATE TRIGGER features_moved BEFORE UPDATE OF id, account_id ON features
WHEN (OLD.id, OLD.account_id) IS NOT (NEW.id, NEW.account_id)
BEGIN
  SELECT RAISE(ABORT, 'the id and the account of a feature are permanent')
; END;

CREATE TRIGGER features_deleted BEFORE DELETE ON features
WHEN EXISTS (SELECT 1 FROM accounts WHERE id = OLD.account_id)
BEGIN
  SELECT RAISE(ABORT, 'a property has this feature')
   WHERE EXISTS (
     SELECT 1 FROM properties
      WHERE account_id = OLD.account_id AND instr(',' || features || ',', ',' || OLD.id || ',') > 0
   )
; END;

CREATE VIEW advance_revisions (account_id, sequence_number, sale, rental) AS SELECT 0, 0, 0, 0 WHERE 0;

CREATE TRIGGER advance_revisions_called INSTEAD OF INSERT ON advance_revisions
BEGIN
  UPDATE accounts
     SET segments = json_set(
           segments,
           '$.' || ((NEW.sequence_number - 1) / 500),
           json_array(
             coalesce(segments ->> ('$.' || ((NEW.sequence_number - 1) / 500) || '[0]'), 0) + NEW.sale,
             coalesce(segments ->> ('$.' || ((NEW.sequence_number - 1) / 500) || '[1]'), 0) + NEW.rental
           )
         ),
         sale_revision = sale_revision + NEW.sale,
         rental_revision = rental_revision + NEW.rental,
         sale_changed_at = iif(NEW.sale, iif(unixepoch() < sale_changed_at, sale_changed_at + 1, unixepoch()), sale_changed_at),
         rental_changed_at = iif(NEW.rental, iif(unixepoch() < rental_changed_at, rental_changed_at + 1, unixepoch()), rental_changed_at)
   WHERE id = NEW.account_id
; END;

CREATE VIEW mark_property_changed (property_id, sale, rental) AS SELECT 0, 0, 0 WHERE 0;

CREATE TRIGGER mark_property_changed_called INSTEAD OF INSERT ON mark_property_changed
BEGIN
  UPDATE properties
     SET sale_updated_at = iif(
           NEW.sale AND for_sale, max(unixepoch(), sale_updated_at + 1, rental_updated_at + 1), sale_updated_at
         ),
         rental_updated_at = iif(
           NEW.rental AND for_rent, max(unixepoch(), sale_updated_at + 1, rental_updated_at + 1), rental_updated_at
         ),
         sale_revision = iif(
           NEW.sale AND for_sale,
           (SELECT a.sale_revision + 1 FROM accounts a WHERE a.id = properties.account_id), sale_revision
         ),
         rental_revision = iif(
           NEW.rental AND for_rent,
           (SELECT a.rental_revision + 1 FROM accounts a WHERE a.id = properties.account_id), rental_revision
         )
   WHERE id = NEW.property_id AND listed AND (NEW.sale AND for_sale OR NEW.rental AND for_rent)
; END;

CREATE VIEW record_revisions (property_id, sale, rental) AS SELECT 0, 0, 0 WHERE 0;

CREATE TRIGGER record_revisions_called INSTEAD OF INSERT ON record_revisions
BEGIN
  UPDATE properties
     SET sale_revision = iif(
           NEW.sale, (SELECT a.sale_revision FROM accounts a WHERE a.id = properties.account_id), sale_revision
         ),
         rental_revision = iif(
           NEW.rental, (SELECT a.rental_revision FROM accounts a WHERE a.id = properties.account_id), rental_revision
         )
   WHERE id = NEW.property_id AND (NEW.sale OR NEW.rental)
; END;

CREATE TRIGGER properties_time_updated AFTER UPDATE OF sale_updated_at, rental_updated_at ON properties
WHEN NEW.listed
  AND (OLD.sale_updated_at, OLD.rental_updated_at) IS NOT (NEW.sale_updated_at, NEW.rental_updated_at)
BEGIN
  INSERT INTO advance_revisions VALUES (
    NEW.account_id, NEW.sequence_number,
    OLD.sale_updated_at <> NEW.sale_updated_at, OLD.rental_updated_at <> NEW.rental_updated_at
  )
; INSERT INTO record_revisions VALUES (
    NEW.id,
    OLD.sale_updated_at <> NEW.sale_updated_at AND OLD.sale_revision = NEW.sale_revision,
    OLD.rental_updated_at <> NEW.rental_updated_at AND OLD.rental_revision = NEW.rental_revision
  )
; END;

CREATE TRIGGER properties_inserted AFTER INSERT ON properties
BEGIN
  UPDATE accounts SET segments = json_set(segments, '$.' || ((NEW.sequence_number - 1) / 500), json_array(0, 0))
   WHERE id = NEW.account_id AND segments -> ('$.' || ((NEW.sequence_number - 1) / 500)) IS NULL
; INSERT INTO mark_property_changed
  SELECT NEW.id, NEW.sale_updated_at = 0, NEW.rental_updated_at = 0
   WHERE NEW.listed AND (NEW.sale_updated_at = 0 OR NEW.rental_updated_at = 0)
; INSERT INTO advance_revisions
  SELECT NEW.account_id, NEW.sequence_number,
         NEW.for_sale AND NEW.sale_updated_at <> 0, NEW.for_rent AND NEW.rental_updated_at <> 0
   WHERE NEW.listed
     AND (NEW.for_sale AND NEW.sale_updated_at <> 0 OR NEW.for_rent AND NEW.rental_updated_at <> 0)
; INSERT INTO record_revisions VALUES (
    NEW.id,
    NEW.listed AND NEW.for_sale AND NEW.sale_updated_at <> 0 AND NEW.sale_revision = 0,
    NEW.listed AND NEW.for_rent AND NEW.rental_updated_at <> 0 AND NEW.rental_revision = 0
  )
; END;

CREATE TRIGGER properties_updated AFTER UPDATE OF
  identifier, reference, type_id, unit_id, status, rented, on_own_website, on_other_websites, listed_at, currency,
  for_sale, sale_price, minimum_price, for_long_term, monthly_rent, for_short_term, low_season_rent, high_season_rent,
  rental_license, town, area, province, country, postcode, latitude, longitude, beds, bath, built_area, plot_area,
  terrace_area, living_area, built_year, community_fees, garbage_tax, ibi_fees, cadastral_ref, has_pool, has_garden,
  has_garage, emissions, consumption, virtual_tour_url, video_url, features, pictures, new_build, leasehold,
  part_ownership, notes
ON properties
WHEN NEW.listed AND (
  NEW.for_sale AND OLD.sale_updated_at = NEW.sale_updated_at OR NEW.for_rent AND OLD.rental_updated_at = NEW.rental_updated_at
)
BEGIN
  INSERT INTO mark_property_changed
  SELECT NEW.id,
         (in_all OR in_sale) AND OLD.sale_updated_at = NEW.sale_updated_at,
         (in_all OR in_rental) AND OLD.rental_updated_at = NEW.rental_updated_at
    FROM (
      SELECT (
               OLD.listed, OLD.identifier, OLD.reference, OLD.type_id, OLD.unit_id,
               iif(OLD.unit_id IS NULL, OLD.status, NULL), OLD.rented, OLD.on_own_website, OLD.on_other_websites,
               OLD.listed_at, OLD.currency, OLD.town, OLD.area, OLD.province, OLD.country, OLD.postcode,
               OLD.latitude, OLD.longitude, OLD.beds, OLD.bath, OLD.built_area, OLD.plot_area, OLD.terrace_area,
               OLD.living_area, OLD.built_year, OLD.community_fees, OLD.garbage_tax, OLD.ibi_fees, OLD.cadastral_ref,
               OLD.has_pool, OLD.has_garden, OLD.has_garage, OLD.emissions, OLD.consumption,
               OLD.virtual_tour_url, OLD.video_url, OLD.features, OLD.pictures, OLD.new_build, OLD.leasehold,
               OLD.part_ownership, OLD.notes
             ) IS NOT (
               NEW.listed, NEW.identifier, NEW.reference, NEW.type_id, NEW.unit_id,
               iif(NEW.unit_id IS NULL, NEW.status, NULL), NEW.rented, NEW.on_own_website, NEW.on_other_websites,
               NEW.listed_at, NEW.currency, NEW.town, NEW.area, NEW.province, NEW.country, NEW.postcode,
               NEW.latitude, NEW.longitude, NEW.beds, NEW.bath, NEW.built_area, NEW.plot_area, NEW.terrace_area,
               NEW.living_area, NEW.built_year, NEW.community_fees, NEW.garbage_tax, NEW.ibi_fees, NEW.cadastral_ref,
               NEW.has_pool, NEW.has_garden, NEW.has_garage, NEW.emissions, NEW.consumption,
               NEW.virtual_tour_url, NEW.video_url, NEW.features, NEW.pictures, NEW.new_build, NEW.leasehold,
               NEW.part_ownership, NEW.notes
             ) AS in_all,
             (OLD.for_sale, OLD.sale_price, OLD.minimum_price)
               IS NOT (NEW.for_sale, NEW.sale_price, NEW.minimum_price) AS in_sale,
             (OLD.for_long_term, OLD.monthly_rent, OLD.for_short_term, OLD.low_season_rent, OLD.high_season_rent, OLD.rental_license)
               IS NOT (NEW.for_long_term, NEW.monthly_rent, NEW.for_short_term, NEW.low_season_rent, NEW.high_season_rent, NEW.rental_license)
               AS in_rental
    )
   WHERE in_all OR in_sale OR in_rental
; END;

CREATE TRIGGER properties_left_feeds AFTER UPDATE OF status, unit_id, for_sale, for_long_term, for_short_term ON properties
WHEN OLD.listed
  AND (OLD.for_sale AND NOT (NEW.listed AND NEW.for_sale) OR OLD.for_rent AND NOT (NEW.listed AND NEW.for_rent))
BEGIN
  INSERT INTO advance_revisions VALUES (
    NEW.account_id, NEW.sequence_number,
    OLD.for_sale AND NOT (NEW.listed AND NEW.for_sale), OLD.for_rent AND NOT (NEW.listed AND NEW.for_rent)
  )
; INSERT INTO record_revisions VALUES (
    NEW.id, OLD.for_sale AND NOT (NEW.listed AND NEW.for_sale), OLD.for_rent AND NOT (NEW.listed AND NEW.for_rent)
  )
; END;

CREATE TRIGGER properties_deleted BEFORE DELETE ON properties
WHEN OLD.listed AND (OLD.for_sale OR OLD.for_rent)
BEGIN
  INSERT INTO advance_revisions VALUES (OLD.account_id, OLD.sequence_number, OLD.for_sale, OLD.for_rent)
; END;

CREATE TRIGGER properties_replaced BEFORE INSERT ON properties
BEGIN
  INSERT INTO advance_revisions
  SELECT account_id, sequence_number, 1, 1 FROM properties
   WHERE id = NEW.id OR unit_id = NEW.unit_id
      OR (account_id = NEW.account_id AND sequence_number = NEW.sequence_number)
      OR (account_id = NEW.account_id AND identifier = NEW.identifier)
; END;

CREATE TRIGGER properties_replaced_by_update BEFORE UPDATE OF identifier, unit_id ON properties
WHEN (OLD.identifier, OLD.unit_id) IS NOT (NEW.identifier, NEW.unit_id)
BEGIN
  INSERT INTO advance_revisions
  SELECT account_id, sequence_number, 1, 1 FROM properties
   WHERE id <> NEW.id
     AND (unit_id = NEW.unit_id OR (account_id = NEW.account_id AND identifier = NEW.identifier))
; END;

CREATE TRIGGER property_texts_inserted AFTER INSERT ON property_texts
WHEN coalesce(NEW.description, NEW.url) IS NOT NULL AND NEW.language <= 14
  AND (SELECT listed FROM properties WHERE id = NEW.property_id)
BEGIN
  INSERT INTO mark_property_changed VALUES (NEW.property_id, 1, 1)
; END;

CREATE TRIGGER property_texts_updated AFTER UPDATE OF language, description, url ON property_texts
WHEN (OLD.language, OLD.description, OLD.url) IS NOT (NEW.language, NEW.description, NEW.url)
  AND (
    coalesce(OLD.description, OLD.url) IS NOT NULL AND OLD.language <= 14
    OR coalesce(NEW.description, NEW.url) IS NOT NULL AND NEW.language <= 14
  )
BEGIN
  INSERT INTO mark_property_changed VALUES (NEW.property_id, 1, 1)
; END;

CREATE TRIGGER property_texts_deleted AFTER DELETE ON property_texts
WHEN coalesce(OLD.description, OLD.url) IS NOT NULL AND OLD.language <= 14
  AND (SELECT listed FROM properties WHERE id = OLD.property_id)
BEGIN
  INSERT INTO mark_property_changed VALUES (OLD.property_id, 1, 1)
; END;

CREATE TRIGGER property_texts_replaced BEFORE INSERT ON property_texts
WHEN coalesce(NEW.description, NEW.url) IS NULL AND NEW.language <= 14
BEGIN
  INSERT INTO mark_property_changed
  SELECT property_id, 1, 1 FROM property_texts
   WHERE property_id = NEW.property_id AND language = NEW.language AND coalesce(description, url) IS NOT NULL
; END;

CREATE TRIGGER property_texts_replaced_by_update BEFORE UPDATE OF language ON property_texts
WHEN OLD.language <> NEW.language AND NEW.language <= 14
BEGIN
  INSERT INTO mark_property_changed
  SELECT property_id, 1, 1 FROM property_texts
   WHERE property_id = NEW.property_id AND language = NEW.language AND coalesce(description, url) IS NOT NULL
; END;

CREATE TRIGGER developments_updated AFTER UPDATE OF name ON developments WHEN OLD.name IS NOT NEW.name
BEGIN
  INSERT INTO mark_property_changed
  SELECT p.id, 1, 1 FROM units u JOIN properties p ON p.unit_id = u.id WHERE u.development_id = NEW.id AND u.status <> 4
; END;

CREATE TRIGGER units_updated AFTER UPDATE ON units
WHEN (OLD.development_id, OLD.name, OLD.status, OLD.price, OLD.directions)
  IS NOT (NEW.development_id, NEW.name, NEW.status, NEW.price, NEW.directions)
BEGIN
  UPDATE units SET version = version + 1, changed_at = unixepoch() WHERE id = NEW.id
; INSERT INTO mark_property_changed
  SELECT id, 1,
         (OLD.development_id, OLD.name, OLD.status, OLD.directions)
           IS NOT (NEW.development_id, NEW.name, NEW.status, NEW.directions)
    FROM properties
   WHERE unit_id = NEW.id AND NOT (OLD.status = 4 AND NEW.status = 4)
; END;

CREATE TRIGGER units_replaced BEFORE INSERT ON units
BEGIN
  INSERT INTO mark_property_changed SELECT id, 1, 1 FROM properties WHERE unit_id = NEW.id
; END;

CREATE VIEW mark_type_changed (type_id) AS SELECT 0 WHERE 0;

CREATE TRIGGER mark_type_changed_called INSTEAD OF INSERT ON mark_type_changed
BEGIN
  UPDATE accounts SET vocabulary_revision = vocabulary_revision + 1
   WHERE id = (SELECT account_id FROM property_types WHERE id = NEW.type_id)
; INSERT INTO mark_property_changed
  SELECT p.id, 1, 1
    FROM property_types t JOIN properties p ON p.account_id = t.account_id AND p.type_id = t.id
   WHERE t.id = NEW.type_id
; END;

CREATE VIEW mark_feature_changed (feature_id) AS SELECT 0 WHERE 0;

CREATE TRIGGER mark_feature_changed_called INSTEAD OF INSERT ON mark_feature_changed
BEGIN
  UPDATE accounts SET vocabulary_revision = vocabulary_revision + 1
   WHERE id = (SELECT account_id FROM features WHERE id = NEW.feature_id)
; INSERT INTO mark_property_changed
  SELECT p.id, 1, 1
    FROM features f JOIN properties p ON p.account_id = f.account_id
   WHERE f.id = NEW.feature_id AND instr(',' || p.features || ',', ',' || f.id || ',') > 0
; END;

CREATE VIEW mark_category_changed (category_id) AS SELECT 0 WHERE 0;

CREATE TRIGGER mark_category_changed_called INSTEAD OF INSERT ON mark_category_changed
BEGIN
  UPDATE accounts SET vocabulary_revision = vocabulary_revision + 1
   WHERE id = (SELECT account_id FROM feature_categories WHERE id = NEW.category_id)
; INSERT INTO mark_property_changed
  SELECT p.id, 1, 1
    FROM feature_categories c JOIN properties p ON p.account_id = c.account_id
   WHERE c.id = NEW.category_id
     AND EXISTS (
       SELECT 1 FROM features f
        WHERE f.category_id = c.id AND instr(',' || p.features || ',', ',' || f.id || ',') > 0
     )
; END;

CREATE TRIGGER property_types_inserted AFTER INSERT ON property_types
BEGIN
  INSERT INTO mark_type_changed VALUES (NEW.id)
; END;

CREATE TRIGGER property_types_updated AFTER UPDATE OF code ON property_types WHEN OLD.code <> NEW.code
BEGIN
  INSERT INTO mark_type_changed VALUES (NEW.id)
; END;

CREATE TRIGGER property_type_labels_inserted AFTER INSERT ON property_type_labels
BEGIN
  INSERT INTO mark_type_changed VALUES (NEW.type_id)
; END;

CREATE TRIGGER property_type_labels_updated AFTER UPDATE ON property_type_labels
WHEN (OLD.type_id, OLD.language, OLD.older_type, OLD.older_subtype, OLD.type, OLD.subtype)
  IS NOT (NEW.type_id, NEW.language, NEW.older_type, NEW.older_subtype, NEW.type, NEW.subtype)
BEGIN
  INSERT INTO mark_type_changed SELECT OLD.type_id UNION SELECT NEW.type_id
; END;

CREATE TRIGGER property_type_labels_deleted AFTER DELETE ON property_type_labels
BEGIN
  INSERT INTO mark_type_changed VALUES (OLD.type_id)
; END;

CREATE TRIGGER features_inserted AFTER INSERT ON features
BEGIN
  INSERT INTO mark_feature_changed VALUES (NEW.id)
; END;

CREATE TRIGGER features_updated AFTER UPDATE OF category_id ON features WHEN OLD.category_id <> NEW.category_id
BEGIN
  INSERT INTO mark_feature_changed VALUES (NEW.id)
; END;

CREATE TRIGGER feature_labels_inserted AFTER INSERT ON feature_labels
BEGIN
  INSERT INTO mark_feature_changed VALUES (NEW.feature_id)
; END;

CREATE TRIGGER feature_labels_updated AFTER UPDATE ON feature_labels
WHEN (OLD.feature_id, OLD.language, OLD.label) IS NOT (NEW.feature_id, NEW.language, NEW.label)
BEGIN
  INSERT INTO mark_feature_changed SELECT OLD.feature_id UNION SELECT NEW.feature_id
; END;

CREATE TRIGGER feature_labels_deleted AFTER DELETE ON feature_labels
BEGIN
  INSERT INTO mark_feature_changed VALUES (OLD.feature_id)
; END;

CREATE TRIGGER feature_categories_inserted AFTER INSERT ON feature_categories
BEGIN
  INSERT INTO mark_category_changed VALUES (NEW.id)
; END;

CREATE TRIGGER feature_categories_updated AFTER UPDATE OF code ON feature_categories WHEN OLD.code <> NEW.code
BEGIN
  INSERT INTO mark_category_changed VALUES (NEW.id)
; END;

CREATE TRIGGER feature_category_labels_inserted AFTER INSERT ON feature_category_labels
BEGIN
  INSERT INTO mark_category_changed VALUES (NEW.category_id)
; END;

CREATE TRIGGER feature_category_labels_updated AFTER UPDATE ON feature_category_labels
WHEN (OLD.category_id, OLD.language, OLD.label) IS NOT (NEW.category_id, NEW.language, NEW.label)
BEGIN
  INSERT INTO mark_category_changed SELECT OLD.category_id UNION SELECT NEW.category_id
; END;

CREATE TRIGGER feature_category_labels_deleted AFTER DELETE ON feature_category_labels
BEGIN
  INSERT INTO mark_category_changed VALUES (OLD.category_id)
; END;

CREATE TABLE snapshots (
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  format TEXT NOT NULL,
  parameters TEXT NOT NULL CHECK (length(parameters) BETWEEN 1 AND 450),
  part INTEGER NOT NULL CHECK (part >= 0),
  sale_revision INTEGER,
  rental_revision INTEGER,
  channel_id INTEGER,
  parts INTEGER,
  sequence_numbers TEXT CHECK (length(sequence_numbers) <= 10000),
  bytes INTEGER NOT NULL CHECK (bytes >= 0),
  crc INTEGER NOT NULL CHECK (crc BETWEEN 0 AND 4294967295),
  length INTEGER NOT NULL CHECK (length >= 0),
  records INTEGER NOT NULL CHECK (records >= 0),
  cached_at INTEGER NOT NULL,
  last_used_at INTEGER NOT NULL,
  PRIMARY KEY (account_id, parameters, format, part),
  CHECK (sale_revision IS NOT NULL OR rental_revision IS NOT NULL),
  CHECK ((parts IS NULL) = (sequence_numbers IS NULL))
) STRICT, WITHOUT ROWID;

CREATE TABLE clients (
  id TEXT PRIMARY KEY CHECK (length(id) BETWEEN 1 AND 100),
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  secret TEXT NOT NULL CHECK (length(secret) = 64 AND secret NOT GLOB '*[^0-9a-f]*'),
  scopes TEXT NOT NULL,
  disabled INTEGER NOT NULL DEFAULT 0 CHECK (disabled IN (0, 1)),
  created_at INTEGER NOT NULL DEFAULT (unixepoch())
) STRICT;

CREATE INDEX clients_of_account ON clients (account_id);

CREATE TABLE channels (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 40 AND name NOT GLOB '*[^a-z0-9._-]*'),
  revision INTEGER NOT NULL DEFAULT 0,
  segments TEXT NOT NULL DEFAULT '{}' CHECK (json_type(segments) = 'object'),
  changed_at INTEGER NOT NULL DEFAULT (unixepoch()),
  UNIQUE (account_id, name),
  UNIQUE (account_id, id)
) STRICT;

CREATE TABLE property_channels (
  account_id INTEGER NOT NULL,
  sequence_number INTEGER NOT NULL,
  channel_id INTEGER NOT NULL,
  revision INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, sequence_number, channel_id),
  FOREIGN KEY (account_id, sequence_number) REFERENCES properties (account_id, sequence_number) ON DELETE CASCADE,
  FOREIGN KEY (account_id, channel_id) REFERENCES channels (account_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE VIEW advance_channel (account_id, sequence_number, channel_id) AS SELECT 0, 0, 0 WHERE 0;

CREATE TRIGGER advance_channel_called INSTEAD OF INSERT ON advance_channel
BEGIN
  UPDATE channels
     SET revision = revision + 1,
         segments = json_set(
           segments,
           '$.' || ((NEW.sequence_number - 1) / 500),
           coalesce(segments ->> ('$.' || ((NEW.sequence_number - 1) / 500)), 0) + 1
         ),
         changed_at = iif(unixepoch() < changed_at, changed_at + 1, unixepoch())
   WHERE id = NEW.channel_id
     AND (SELECT listed FROM properties WHERE account_id = NEW.account_id AND sequence_number = NEW.sequence_number)
; END;

CREATE TRIGGER property_channels_inserted AFTER INSERT ON property_channels
BEGIN
  INSERT INTO advance_channel VALUES (NEW.account_id, NEW.sequence_number, NEW.channel_id)
; UPDATE property_channels
     SET revision = (SELECT c.revision FROM channels c WHERE c.id = NEW.channel_id)
   WHERE account_id = NEW.account_id AND sequence_number = NEW.sequence_number AND channel_id = NEW.channel_id
; END;

CREATE TRIGGER property_channels_deleted AFTER DELETE ON property_channels
BEGIN
  INSERT INTO advance_channel VALUES (OLD.account_id, OLD.sequence_number, OLD.channel_id)
; END;

CREATE TRIGGER property_channels_moved BEFORE UPDATE OF account_id, sequence_number, channel_id ON property_channels
BEGIN
  SELECT RAISE(ABORT, 'an assignment is inserted or deleted, never changed')
; END;

CREATE TABLE readers (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  name TEXT NOT NULL CHECK (length(name) BETWEEN 1 AND 40 AND name NOT GLOB '*[^a-z0-9._-]*'),
  preset TEXT NOT NULL DEFAULT '' CHECK (length(preset) <= 400),
  fixed INTEGER NOT NULL DEFAULT 0 CHECK (fixed IN (0, 1)),
  parameters TEXT CHECK (length(parameters) BETWEEN 1 AND 400),
  channel_id INTEGER,
  disabled INTEGER NOT NULL DEFAULT 0 CHECK (disabled IN (0, 1)),
  created_at INTEGER NOT NULL DEFAULT (unixepoch()),
  UNIQUE (account_id, name),
  FOREIGN KEY (account_id, channel_id) REFERENCES channels (account_id, id)
) STRICT;

CREATE TABLE reader_keys (
  digest TEXT PRIMARY KEY CHECK (length(digest) = 64 AND digest NOT GLOB '*[^0-9a-f]*'),
  reader_id INTEGER NOT NULL REFERENCES readers (id) ON DELETE CASCADE,
  created_at INTEGER NOT NULL DEFAULT (unixepoch()),
  expires_at INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX keys_of_reader ON reader_keys (reader_id);

CREATE TABLE deliveries (
  reader_id INTEGER NOT NULL REFERENCES readers (id) ON DELETE CASCADE,
  feed TEXT NOT NULL CHECK (length(feed) BETWEEN 1 AND 450),
  delivered_at INTEGER,
  sale_revision INTEGER,
  rental_revision INTEGER,
  channel_revision INTEGER,
  status INTEGER CHECK (status IN (200, 304)),
  bytes INTEGER,
  origin TEXT CHECK (origin IN ('hit', 'partial', 'miss', 'not modified')),
  visited_at INTEGER NOT NULL,
  usual_interval REAL,
  intervals INTEGER NOT NULL DEFAULT 0,
  late_logged INTEGER NOT NULL DEFAULT 0 CHECK (late_logged IN (0, 1)),
  days TEXT NOT NULL DEFAULT '{}' CHECK (json_type(days) = 'object'),
  history TEXT NOT NULL DEFAULT '[]' CHECK (json_type(history) = 'array'),
  PRIMARY KEY (reader_id, feed)
) STRICT, WITHOUT ROWID;
