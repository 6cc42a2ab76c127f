-- Properties with their offers, pictures and features, and their texts in each language.

CREATE TABLE properties (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  -- The order of the properties of an account in feeds, from 1. 500 sequence numbers are a segment.
  sequence_number INTEGER NOT NULL CHECK (sequence_number >= 1),
  identifier TEXT NOT NULL CHECK (
    length(identifier) BETWEEN 1 AND 100 AND trim(identifier) = identifier
    AND identifier NOT GLOB '*[' || char(1, 45, 31, 65534, 65535) || ']*' AND instr(CAST(identifier AS BLOB), X'00') = 0
  ),
  reference TEXT NOT NULL CHECK (length(reference) BETWEEN 1 AND 255),
  type_id INTEGER NOT NULL,
  -- The unit, if the property is one of a development: feeds then show the status and the price of the unit.
  unit_id INTEGER,
  status TEXT NOT NULL CHECK (status IN ('Available', 'Under Offer', 'Sale Agreed', 'Sold', 'Withdrawn')),
  -- 1 if feeds show the property, unless its unit is sold. 0 if no feed shows it.
  listed INTEGER NOT NULL GENERATED ALWAYS AS (
    status <> 'Withdrawn' AND (status <> 'Sold' OR unit_id IS NOT NULL)
  ) VIRTUAL,
  rented INTEGER NOT NULL DEFAULT 0 CHECK (rented IN (0, 1)),
  on_own_website INTEGER NOT NULL DEFAULT 1 CHECK (on_own_website IN (0, 1)),
  on_other_websites INTEGER NOT NULL DEFAULT 1 CHECK (on_other_websites IN (0, 1)),
  listed_at INTEGER NOT NULL CHECK (listed_at BETWEEN 0 AND 253402300799),
  source_changed_at INTEGER CHECK (source_changed_at BETWEEN 0 AND 253402300799),
  -- The times at which anything last changed that sale feeds and rental feeds show of it. Triggers set both.
  sale_updated_at INTEGER NOT NULL DEFAULT 0 CHECK (sale_updated_at BETWEEN 0 AND 253402300799),
  rental_updated_at INTEGER NOT NULL DEFAULT 0 CHECK (rental_updated_at BETWEEN 0 AND 253402300799),
  -- The account revisions at which it last changed in sale feeds, and in rental feeds: a delivery of these shows the change.
  sale_revision INTEGER NOT NULL DEFAULT 0,
  rental_revision INTEGER NOT NULL DEFAULT 0,
  -- The offers, with prices in this currency. NULL is a price on request.
  currency TEXT NOT NULL DEFAULT 'EUR' CHECK (currency GLOB '[A-Z][A-Z][A-Z]'),
  for_sale INTEGER NOT NULL DEFAULT 0 CHECK (for_sale IN (0, 1)),
  sale_price REAL CHECK (sale_price > -9e999 AND sale_price < 9e999),
  -- The lowest net price that the vendor accepts. 0 if it is not set.
  minimum_price REAL NOT NULL DEFAULT 0 CHECK (minimum_price > -9e999 AND minimum_price < 9e999),
  for_long_term INTEGER NOT NULL DEFAULT 0 CHECK (for_long_term IN (0, 1)),
  monthly_rent REAL CHECK (monthly_rent > -9e999 AND monthly_rent < 9e999),
  for_short_term INTEGER NOT NULL DEFAULT 0 CHECK (for_short_term IN (0, 1)),
  -- Rents per week in the low and in the high season.
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
  -- Baths plus toilets in one number: 4.5 is 4 baths and 1 toilet.
  bath REAL NOT NULL DEFAULT 0 CHECK (bath BETWEEN 0 AND 10000),
  -- Areas are in square metres.
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
  -- Ids of the features in the order of display, separated by commas. NULL if there are none.
  features TEXT CHECK (features NOT GLOB '*[^0-9,]*' AND length(features) >= 1),
  -- URLs in the order of display, separated by line feeds: at most 1,000. NULL if there are none.
  pictures TEXT CHECK (
    length(CAST(pictures AS BLOB)) BETWEEN 1 AND 1024999
    AND length(CAST(pictures AS BLOB)) - length(CAST(replace(pictures, char(10), '') AS BLOB)) < 1000
    AND instr(char(10) || pictures || char(10), char(10, 10)) = 0
  ),
  -- Of these, feeds show only the first three, the address and the notes, in the formats that have them.
  new_build INTEGER NOT NULL DEFAULT 0 CHECK (new_build IN (0, 1)),
  leasehold INTEGER NOT NULL DEFAULT 0 CHECK (leasehold IN (0, 1)),
  part_ownership INTEGER NOT NULL DEFAULT 0 CHECK (part_ownership IN (0, 1)),
  prime INTEGER NOT NULL DEFAULT 0 CHECK (prime IN (0, 1)),
  commission TEXT CHECK (length(commission) <= 200),
  address TEXT CHECK (length(address) <= 500),
  floor TEXT CHECK (length(floor) <= 200),
  email TEXT CHECK (length(email) <= 320),
  notes TEXT CHECK (length(CAST(notes AS BLOB)) <= 65536),
  -- The number of the last change: see 0009_changes.sql.
  change_number INTEGER NOT NULL DEFAULT 0,
  -- The states in which the property has been listed, for each channel and, under 0, for callers without a channel: a JSON object
  -- {channel: bits}, with a bit for each combination of listed_states. A caller never learns the identifier of a property that
  -- was never listed in a state that the caller sees.
  seen TEXT NOT NULL DEFAULT '{}' CHECK (json_type(seen) = 'object'),
  -- Whether a property without an energy letter has applied for its certificate, or needs none.
  energy_status TEXT CHECK (energy_status IN ('in_process', 'exempt')),
  -- Counts the writes of the property, also of those that no feed shows.
  version INTEGER NOT NULL DEFAULT 0,
  -- Where a listing may not go, a name a line: no_portals, not_abroad, no_social_media, own_website_only. NULL for anywhere.
  -- Which of them keep it from a reader depends on the kind of the reader, which is part of its policy.
  restrictions TEXT CHECK (length(restrictions) BETWEEN 1 AND 100),
  UNIQUE (account_id, sequence_number),
  UNIQUE (account_id, identifier),
  FOREIGN KEY (account_id, type_id) REFERENCES property_types (account_id, id),
  FOREIGN KEY (account_id, unit_id) REFERENCES units (account_id, id),
  CHECK ((latitude IS NULL) = (longitude IS NULL)),
  CHECK (for_sale OR (sale_price IS NULL AND minimum_price = 0)),
  CHECK (for_long_term OR monthly_rent IS NULL),
  CHECK (for_short_term OR (low_season_rent IS NULL AND high_season_rent IS NULL AND rental_license IS NULL))
) STRICT;

-- Partial, because most properties have no unit: writing one of those costs one row less.
CREATE UNIQUE INDEX properties_of_unit ON properties (unit_id) WHERE unit_id IS NOT NULL;

-- Finds the properties that show a type by a search, and those that show a feature by a scan of this index alone.
-- By sequence number, so that new properties are at the end of those of their type: adding many touches few pages.
CREATE INDEX properties_by_vocabulary ON properties (account_id, type_id, sequence_number, features);

-- The texts of a property in one language. No feed shows the title, and only Kyero feeds show the URL.
CREATE TABLE property_texts (
  -- 128 times the id of the property, and the language: without an index, writing a text is one row.
  id INTEGER PRIMARY KEY,
  property_id INTEGER NOT NULL GENERATED ALWAYS AS (id >> 7) VIRTUAL,
  language INTEGER NOT NULL GENERATED ALWAYS AS (id & 127) VIRTUAL CHECK (language BETWEEN 1 AND 99),
  title TEXT CHECK (length(title) <= 500),
  description TEXT CHECK (length(CAST(description AS BLOB)) <= 65536),
  -- The address of the page about this property on a website.
  url TEXT CHECK (length(url) <= 1024)
) STRICT;

-- A foreign key would search all texts for those of a property.

CREATE TRIGGER property_texts_of_none BEFORE INSERT ON property_texts
WHEN NOT EXISTS (SELECT 1 FROM properties WHERE id = NEW.property_id)
BEGIN
  SELECT RAISE(ABORT, 'constraint failed: a text belongs to a property')
; END;

CREATE TRIGGER properties_deleted_texts AFTER DELETE ON properties
BEGIN
  DELETE FROM property_texts WHERE id BETWEEN OLD.id * 128 AND OLD.id * 128 + 127
; END;

-- Records of rentals have the identifier with -LT or -ST appended, and identifiers must be unique in a feed.

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

-- A row cannot be moved to another owner: feeds would change whose revisions do not advance.

CREATE TRIGGER properties_moved BEFORE UPDATE OF id, account_id, sequence_number ON properties
WHEN (OLD.id, OLD.account_id, OLD.sequence_number) IS NOT (NEW.id, NEW.account_id, NEW.sequence_number)
BEGIN
  SELECT RAISE(ABORT, 'the account and the sequence number of a property are permanent')
; END;

CREATE TRIGGER property_texts_moved BEFORE UPDATE OF id ON property_texts WHEN OLD.property_id <> NEW.property_id
BEGIN
  SELECT RAISE(ABORT, 'a text belongs to its property permanently')
; END;

-- The features of a property are a list of ids, which a foreign key cannot check.

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

-- When an account is deleted, its features may be deleted before its properties.
CREATE TRIGGER features_deleted BEFORE DELETE ON features
WHEN EXISTS (SELECT 1 FROM accounts WHERE id = OLD.account_id)
BEGIN
  SELECT RAISE(ABORT, 'a property has this feature')
   WHERE EXISTS (
     SELECT 1 FROM properties
      WHERE account_id = OLD.account_id AND instr(',' || features || ',', ',' || OLD.id || ',') > 0
   )
; END;
