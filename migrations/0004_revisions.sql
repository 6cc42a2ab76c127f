-- Revisions and times of change. Triggers advance them, so that no writer can forget it.
--
-- A view with an INSTEAD OF trigger serves as a procedure: inserting a row into it runs the trigger with that row as its
-- arguments, and stores nothing.
--
--   advance_revisions      advances the revisions of a segment, of its account, of the channels of the property and of its
--                          development
--   advance_development    advances those of a development
--   mark_property_changed  advances the times of a listed property in the feeds that it is offered in,
--                          and by that the revisions (properties_time_updated), and records these as those of its change
--   record_revisions       records the revisions of its account as those of the last change of a property
--   mark_type_changed, mark_feature_changed, mark_category_changed
--                          do so for every property that shows a label, and advance the revision of the vocabulary
--
-- A property that is withdrawn is in no feed, so changes to it advance nothing. A writer that changes several rows of one
-- property withdraws it first and lists it again last, in one transaction: then all of it counts as one change.

CREATE VIEW advance_revisions (account_id, sequence_number, sale, rental) AS SELECT 0, 0, 0, 0 WHERE 0;

-- A time of change advances with every change, except within one second, even if the clock has been set back.
-- A channel has revisions of its own, and its feeds depend on no others: they advance with every change of its listed
-- properties, and not with those of other properties, whose changes its readers must not notice.
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
         developments = ifnull(
           (
             SELECT json_set(
                      accounts.developments,
                      '$.' || u.development_id || '[0]',
                      coalesce(accounts.developments ->> ('$.' || u.development_id || '[0]'), 0) + 1
                    )
               FROM properties p JOIN units u ON u.id = p.unit_id
              WHERE p.account_id = NEW.account_id AND p.sequence_number = NEW.sequence_number
           ),
           developments
         ),
         sale_revision = sale_revision + NEW.sale,
         rental_revision = rental_revision + NEW.rental,
         sale_changed_at = iif(NEW.sale, iif(unixepoch() < sale_changed_at, sale_changed_at + 1, unixepoch()), sale_changed_at),
         rental_changed_at = iif(NEW.rental, iif(unixepoch() < rental_changed_at, rental_changed_at + 1, unixepoch()), rental_changed_at),
         change_number = change_number + 1
   WHERE id = NEW.account_id
; UPDATE channels
     SET revision = revision + 1,
         segments = json_set(
           segments,
           '$.' || ((NEW.sequence_number - 1) / 500),
           coalesce(segments ->> ('$.' || ((NEW.sequence_number - 1) / 500)), 0) + 1
         ),
         changed_at = iif(unixepoch() < changed_at, changed_at + 1, unixepoch())
   WHERE account_id = NEW.account_id AND id IN (
     SELECT channel_id FROM property_channels
      WHERE account_id = NEW.account_id AND sequence_number = NEW.sequence_number
   )
; END;

CREATE VIEW advance_development (development_id, own) AS SELECT 0, 0 WHERE 0;

CREATE TRIGGER advance_development_called INSTEAD OF INSERT ON advance_development
BEGIN
  UPDATE accounts
     SET developments = json_set(
           developments,
           '$.' || NEW.development_id,
           json_array(
             coalesce(developments ->> ('$.' || NEW.development_id || '[0]'), 0) + 1,
             coalesce(developments ->> ('$.' || NEW.development_id || '[1]'), 0) + NEW.own
           )
         ),
         developments_changed_at = iif(
           NEW.own,
           iif(unixepoch() < developments_changed_at, developments_changed_at + 1, unixepoch()), developments_changed_at
         )
   WHERE id = (SELECT account_id FROM developments WHERE id = NEW.development_id)
; END;

CREATE VIEW mark_property_changed (property_id, sale, rental) AS SELECT 0, 0, 0 WHERE 0;

-- A feed of sales and rentals shows the later of the two times. So that it advances with every change, each of the two
-- advances beyond both, by at least a second: readers that compare times notice a second change within one second.
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
         ),
         change_number = (SELECT a.change_number + 1 FROM accounts a WHERE a.id = properties.account_id),
         seen = (SELECT s.seen FROM states_seen s WHERE s.property_id = properties.id)
   WHERE id = NEW.property_id AND listed AND (NEW.sale AND for_sale OR NEW.rental AND for_rent)
; END;

CREATE VIEW record_revisions (property_id, sale, rental) AS SELECT 0, 0, 0 WHERE 0;

-- For changes that mark_property_changed has not marked: it writes the revisions with the times, which costs no further row.
-- Also for a writer that has set the revisions, but not the number of the change that it makes. A new property is inserted as
-- withdrawn, gets its texts and channels, and is listed last by one statement, which sets all of these: one row written.
CREATE TRIGGER record_revisions_called INSTEAD OF INSERT ON record_revisions
BEGIN
  UPDATE properties
     SET sale_revision = iif(
           NEW.sale, (SELECT a.sale_revision FROM accounts a WHERE a.id = properties.account_id), sale_revision
         ),
         rental_revision = iif(
           NEW.rental, (SELECT a.rental_revision FROM accounts a WHERE a.id = properties.account_id), rental_revision
         ),
         change_number = (SELECT a.change_number FROM accounts a WHERE a.id = properties.account_id),
         seen = (SELECT s.seen FROM states_seen s WHERE s.property_id = properties.id)
   WHERE id = NEW.property_id
     AND (
       NEW.sale OR NEW.rental
       OR listed AND (for_sale OR for_rent)
         AND change_number <> (SELECT a.change_number FROM accounts a WHERE a.id = properties.account_id)
     )
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

-- Properties. A statement that sets a time of change also marks the change. In the format of Kyero, the id of a rental
-- depends on whether there is a sale, so rental feeds show that as well.

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
  part_ownership, notes, energy_status, address, floor
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
               OLD.listed, OLD.identifier, OLD.reference, OLD.type_id, OLD.unit_id, OLD.for_sale,
               iif(OLD.unit_id IS NULL, OLD.status, NULL), OLD.rented, OLD.on_own_website, OLD.on_other_websites,
               OLD.listed_at, OLD.currency, OLD.town, OLD.area, OLD.province, OLD.country, OLD.postcode,
               OLD.latitude, OLD.longitude, OLD.beds, OLD.bath, OLD.built_area, OLD.plot_area, OLD.terrace_area,
               OLD.living_area, OLD.built_year, OLD.community_fees, OLD.garbage_tax, OLD.ibi_fees, OLD.cadastral_ref,
               OLD.has_pool, OLD.has_garden, OLD.has_garage, OLD.emissions, OLD.consumption,
               OLD.virtual_tour_url, OLD.video_url, OLD.features, OLD.pictures, OLD.new_build, OLD.leasehold,
               OLD.part_ownership, OLD.notes, OLD.energy_status, OLD.address, OLD.floor
             ) IS NOT (
               NEW.listed, NEW.identifier, NEW.reference, NEW.type_id, NEW.unit_id, NEW.for_sale,
               iif(NEW.unit_id IS NULL, NEW.status, NULL), NEW.rented, NEW.on_own_website, NEW.on_other_websites,
               NEW.listed_at, NEW.currency, NEW.town, NEW.area, NEW.province, NEW.country, NEW.postcode,
               NEW.latitude, NEW.longitude, NEW.beds, NEW.bath, NEW.built_area, NEW.plot_area, NEW.terrace_area,
               NEW.living_area, NEW.built_year, NEW.community_fees, NEW.garbage_tax, NEW.ibi_fees, NEW.cadastral_ref,
               NEW.has_pool, NEW.has_garden, NEW.has_garage, NEW.emissions, NEW.consumption,
               NEW.virtual_tour_url, NEW.video_url, NEW.features, NEW.pictures, NEW.new_build, NEW.leasehold,
               NEW.part_ownership, NEW.notes, NEW.energy_status, NEW.address, NEW.floor
             ) AS in_all,
             (OLD.sale_price, OLD.minimum_price) IS NOT (NEW.sale_price, NEW.minimum_price) AS in_sale,
             (OLD.for_long_term, OLD.monthly_rent, OLD.for_short_term, OLD.low_season_rent, OLD.high_season_rent, OLD.rental_license)
               IS NOT (NEW.for_long_term, NEW.monthly_rent, NEW.for_short_term, NEW.low_season_rent, NEW.high_season_rent, NEW.rental_license)
               AS in_rental
    )
   WHERE in_all OR in_sale OR in_rental
; END;

-- A withdrawal advances the times as well, for those who ask what has changed since then. A writer that withdraws a property only
-- for the length of a transaction leaves its version alone.
CREATE TRIGGER properties_withdrawn AFTER UPDATE OF status, unit_id ON properties
WHEN OLD.listed AND NOT NEW.listed AND (OLD.for_sale OR OLD.for_rent)
BEGIN
  INSERT INTO advance_revisions VALUES (NEW.account_id, NEW.sequence_number, OLD.for_sale, OLD.for_rent)
; INSERT INTO record_revisions VALUES (NEW.id, OLD.for_sale, OLD.for_rent)
; UPDATE properties
     SET sale_updated_at = iif(for_sale, max(unixepoch(), sale_updated_at + 1, rental_updated_at + 1), sale_updated_at),
         rental_updated_at = iif(for_rent, max(unixepoch(), sale_updated_at + 1, rental_updated_at + 1), rental_updated_at)
   WHERE id = NEW.id AND NEW.version <> OLD.version
; END;

-- A property that loses its offers of one kind leaves the feeds of that kind, and the others show it without them: their later
-- time has to advance.
CREATE TRIGGER properties_lost_offers AFTER UPDATE OF for_sale, for_long_term, for_short_term ON properties
WHEN OLD.listed AND NEW.listed AND (
  OLD.for_sale AND NOT NEW.for_sale AND OLD.sale_updated_at = NEW.sale_updated_at
  OR OLD.for_rent AND NOT NEW.for_rent AND OLD.rental_updated_at = NEW.rental_updated_at
)
BEGIN
  UPDATE properties
     SET sale_updated_at = iif(
           OLD.for_sale AND NOT NEW.for_sale, max(unixepoch(), sale_updated_at + 1, rental_updated_at + 1), sale_updated_at
         ),
         rental_updated_at = iif(
           OLD.for_rent AND NOT NEW.for_rent, max(unixepoch(), sale_updated_at + 1, rental_updated_at + 1), rental_updated_at
         )
   WHERE id = NEW.id
; END;

CREATE TRIGGER properties_deleted BEFORE DELETE ON properties
WHEN OLD.listed AND (OLD.for_sale OR OLD.for_rent)
BEGIN
  INSERT INTO advance_revisions VALUES (OLD.account_id, OLD.sequence_number, OLD.for_sale, OLD.for_rent)
; END;

-- REPLACE deletes the rows in conflict without their DELETE triggers.

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

-- Texts. Feeds show descriptions and the addresses of web pages in the languages 1 to 14.

CREATE TRIGGER property_texts_inserted AFTER INSERT ON property_texts
WHEN coalesce(NEW.description, NEW.url) IS NOT NULL AND NEW.language <= 14
  AND (SELECT listed FROM properties WHERE id = NEW.property_id)
BEGIN
  INSERT INTO mark_property_changed VALUES (NEW.property_id, 1, 1)
; END;

CREATE TRIGGER property_texts_updated AFTER UPDATE OF id, description, url ON property_texts
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
   WHERE id = NEW.id AND coalesce(description, url) IS NOT NULL
; END;

CREATE TRIGGER property_texts_replaced_by_update BEFORE UPDATE OF id ON property_texts
WHEN OLD.language <> NEW.language AND NEW.language <= 14
BEGIN
  INSERT INTO mark_property_changed
  SELECT property_id, 1, 1 FROM property_texts
   WHERE id = NEW.id AND coalesce(description, url) IS NOT NULL
; END;

-- Developments and units. A sold unit is in no feed, so changes to it advance nothing while it stays sold.

CREATE TRIGGER developments_updated AFTER UPDATE OF name ON developments WHEN OLD.name IS NOT NEW.name
BEGIN
  INSERT INTO mark_property_changed
  SELECT p.id, 1, 1 FROM units u JOIN properties p ON p.unit_id = u.id WHERE u.development_id = NEW.id AND u.status <> 4
; END;

-- Where a development is decides whether its units are within it or among the properties, in formats that have developments.
-- The records of the units stay as they are, and so do their times.
CREATE TRIGGER developments_moved AFTER UPDATE OF details ON developments
WHEN json_extract(ifnull(OLD.details, '{}'), '$.location', '$.address', '$.town', '$.province', '$.country')
  IS NOT json_extract(ifnull(NEW.details, '{}'), '$.location', '$.address', '$.town', '$.province', '$.country')
BEGIN
  INSERT INTO advance_revisions
  SELECT p.account_id, p.sequence_number, p.for_sale, p.for_rent
    FROM units u JOIN properties p ON p.unit_id = u.id
   WHERE u.development_id = NEW.id AND u.status <> 4 AND p.listed
; END;

CREATE TRIGGER units_updated AFTER UPDATE ON units
WHEN (OLD.development_id, OLD.name, OLD.status, OLD.price, OLD.directions)
  IS NOT (NEW.development_id, NEW.name, NEW.status, NEW.price, NEW.directions)
BEGIN
  UPDATE units
     SET version = version + 1, changed_at = unixepoch(),
         change_number = (SELECT a.change_number + 1 FROM accounts a WHERE a.id = units.account_id)
   WHERE id = NEW.id
; INSERT INTO mark_property_changed
  SELECT id, 1,
         (OLD.development_id, OLD.name, OLD.status, OLD.directions)
           IS NOT (NEW.development_id, NEW.name, NEW.status, NEW.directions)
    FROM properties
   WHERE unit_id = NEW.id AND NOT (OLD.status = 4 AND NEW.status = 4)
; UPDATE accounts SET change_number = change_number + 1
   WHERE id = NEW.account_id AND change_number < (SELECT u.change_number FROM units u WHERE u.id = NEW.id)
; INSERT INTO removed_units (account_id, development, name, change_number)
  SELECT d.account_id, d.identifier, OLD.name, (SELECT u.change_number FROM units u WHERE u.id = NEW.id)
    FROM developments d
   WHERE d.id = OLD.development_id AND (OLD.development_id, OLD.name) IS NOT (NEW.development_id, NEW.name)
      ON CONFLICT (account_id, development, name) DO UPDATE SET change_number = excluded.change_number
; END;

CREATE TRIGGER units_replaced BEFORE INSERT ON units
BEGIN
  INSERT INTO mark_property_changed SELECT id, 1, 1 FROM properties WHERE unit_id = NEW.id
; END;

CREATE TRIGGER developments_inserted_revision AFTER INSERT ON developments
BEGIN
  INSERT INTO advance_development VALUES (NEW.id, 1)
; END;

CREATE TRIGGER developments_updated_revision AFTER UPDATE OF identifier, name, details ON developments
WHEN (OLD.identifier, OLD.name, OLD.details) IS NOT (NEW.identifier, NEW.name, NEW.details)
BEGIN
  INSERT INTO advance_development VALUES (NEW.id, 1)
; END;

CREATE TRIGGER developments_deleted_revision AFTER DELETE ON developments
BEGIN
  UPDATE accounts
     SET developments = json_remove(developments, '$.' || OLD.id),
         developments_changed_at = max(unixepoch(), developments_changed_at)
   WHERE id = OLD.account_id
; END;

-- The development that a unit or a property leaves. The one that it enters advances with the property.

CREATE TRIGGER units_left_development AFTER UPDATE OF development_id ON units
WHEN OLD.development_id <> NEW.development_id
BEGIN
  INSERT INTO advance_development VALUES (OLD.development_id, 0)
; END;

CREATE TRIGGER properties_left_development AFTER UPDATE OF unit_id ON properties
WHEN OLD.unit_id IS NOT NULL AND OLD.unit_id IS NOT NEW.unit_id
BEGIN
  INSERT INTO advance_development SELECT development_id, 0 FROM units WHERE id = OLD.unit_id
; END;

-- Vocabulary. Every property that has the type or the feature shows its labels. Labels in languages that feeds do not
-- have count as well: a label in any language may replace a missing one, and so may the code of a type or a category.
-- The revision of the vocabulary tells whether labels and properties that were read by two statements belong together.

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
