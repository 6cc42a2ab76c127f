-- Revisions and times of change, moved by the database so that no writer can forget them.
--
-- A view with an INSTEAD OF trigger serves as a procedure: inserting into it calls it.
--   revision_moves  moves the counters of a segment and of its account
--   touches         a change to what feeds show of a property: moves its time, and by that the counters
-- A property that is off the market shows in no feed, so what is changed in it moves nothing. A writer that changes
-- many parts of one property withdraws it first and lists it again last, in one transaction: then the change counts once.

CREATE VIEW revision_moves (account_id, number, sale, rental) AS SELECT 0, 0, 0, 0 WHERE 0;

CREATE TRIGGER revision_moves_called INSTEAD OF INSERT ON revision_moves
BEGIN
  UPDATE segments
     SET sale_revision = sale_revision + NEW.sale, rental_revision = rental_revision + NEW.rental
   WHERE account_id = NEW.account_id AND segment = (NEW.number - 1) / 500;
  UPDATE accounts
     SET sale_revision = sale_revision + NEW.sale,
         rental_revision = rental_revision + NEW.rental,
         sale_changed_at = iif(NEW.sale, max(unixepoch(), sale_changed_at), sale_changed_at),
         rental_changed_at = iif(NEW.rental, max(unixepoch(), rental_changed_at), rental_changed_at)
   WHERE id = NEW.account_id;
END;

-- A time moves by a second at least, so that a reader who compares times sees the second change within one second.
CREATE VIEW touches (property_id, sale, rental) AS SELECT 0, 0, 0 WHERE 0;

CREATE TRIGGER touches_called INSTEAD OF INSERT ON touches
BEGIN
  UPDATE properties
     SET sale_updated_at = max(unixepoch(), sale_updated_at + 1)
   WHERE id = NEW.property_id AND NEW.sale AND NOT off_market
     AND EXISTS (SELECT 1 FROM sale_offers WHERE property_id = NEW.property_id);
  UPDATE properties
     SET rental_updated_at = max(unixepoch(), rental_updated_at + 1)
   WHERE id = NEW.property_id AND NEW.rental AND NOT off_market
     AND (EXISTS (SELECT 1 FROM long_term_offers WHERE property_id = NEW.property_id)
       OR EXISTS (SELECT 1 FROM short_term_offers WHERE property_id = NEW.property_id));
END;

CREATE TRIGGER properties_sale_updated AFTER UPDATE OF sale_updated_at ON properties
WHEN OLD.sale_updated_at IS NOT NEW.sale_updated_at AND NOT NEW.off_market
BEGIN
  INSERT INTO revision_moves VALUES (NEW.account_id, NEW.number, 1, 0);
END;

CREATE TRIGGER properties_rental_updated AFTER UPDATE OF rental_updated_at ON properties
WHEN OLD.rental_updated_at IS NOT NEW.rental_updated_at AND NOT NEW.off_market
BEGIN
  INSERT INTO revision_moves VALUES (NEW.account_id, NEW.number, 0, 1);
END;

-- Rental records carry the property's identifier with -LT or -ST behind it, and a document has each identifier once.
CREATE TRIGGER properties_identifier_inserted BEFORE INSERT ON properties
BEGIN
  SELECT RAISE(ABORT, 'the identifier is that of another property, but for an appended -LT or -ST')
   WHERE EXISTS (
     SELECT 1 FROM properties
      WHERE account_id = NEW.account_id
        AND identifier IN (
          NEW.identifier || '-LT', NEW.identifier || '-ST',
          CASE WHEN substr(NEW.identifier, -3) IN ('-LT', '-ST') THEN substr(NEW.identifier, 1, length(NEW.identifier) - 3) END
        )
   );
  -- REPLACE deletes the rows in its way without a DELETE trigger.
  INSERT INTO revision_moves
  SELECT account_id, number, 1, 1 FROM properties
   WHERE id = NEW.id OR unit_id = NEW.unit_id
      OR (account_id = NEW.account_id AND number = NEW.number)
      OR (account_id = NEW.account_id AND identifier = NEW.identifier);
END;

CREATE TRIGGER properties_identifier_updated BEFORE UPDATE OF identifier ON properties
BEGIN
  SELECT RAISE(ABORT, 'the identifier is that of another property, but for an appended -LT or -ST')
   WHERE EXISTS (
     SELECT 1 FROM properties
      WHERE account_id = NEW.account_id AND id <> NEW.id
        AND identifier IN (
          NEW.identifier || '-LT', NEW.identifier || '-ST',
          CASE WHEN substr(NEW.identifier, -3) IN ('-LT', '-ST') THEN substr(NEW.identifier, 1, length(NEW.identifier) - 3) END
        )
   );
END;

CREATE TRIGGER properties_replaced BEFORE UPDATE OF identifier, unit_id ON properties
WHEN (OLD.identifier, OLD.unit_id) IS NOT (NEW.identifier, NEW.unit_id)
BEGIN
  INSERT INTO revision_moves
  SELECT account_id, number, 1, 1 FROM properties
   WHERE id <> NEW.id
     AND (unit_id = NEW.unit_id OR (account_id = NEW.account_id AND identifier = NEW.identifier));
END;

CREATE TRIGGER properties_number_updated BEFORE UPDATE OF id, account_id, number ON properties
WHEN (OLD.id, OLD.account_id, OLD.number) IS NOT (NEW.id, NEW.account_id, NEW.number)
BEGIN
  SELECT RAISE(ABORT, 'a property keeps its account and its running number');
END;

-- Not INSERT OR IGNORE: a statement that says OR REPLACE says so for its triggers too, and would start the counters anew.
CREATE TRIGGER properties_inserted AFTER INSERT ON properties
WHEN NOT EXISTS (SELECT 1 FROM segments WHERE account_id = NEW.account_id AND segment = (NEW.number - 1) / 500)
BEGIN
  INSERT INTO segments (account_id, segment) VALUES (NEW.account_id, (NEW.number - 1) / 500);
END;

CREATE TRIGGER properties_updated AFTER UPDATE ON properties
WHEN NOT NEW.off_market AND (
  OLD.off_market, OLD.identifier, OLD.reference, OLD.type_id, OLD.unit_id, iif(OLD.unit_id IS NULL, OLD.status, NULL),
  OLD.rented, OLD.on_own_website, OLD.on_other_websites, OLD.listed_at, OLD.currency,
  OLD.town, OLD.area, OLD.province, OLD.country, OLD.postcode, OLD.latitude, OLD.longitude,
  OLD.beds, OLD.bath, OLD.built_area, OLD.plot_area, OLD.terrace_area, OLD.living_area, OLD.built_year,
  OLD.community_fees, OLD.garbage_tax, OLD.ibi_fees, OLD.cadastral_ref,
  OLD.has_pool, OLD.has_garden, OLD.has_garage, OLD.emissions, OLD.consumption, OLD.virtual_tour_url, OLD.video_url
) IS NOT (
  NEW.off_market, NEW.identifier, NEW.reference, NEW.type_id, NEW.unit_id, iif(NEW.unit_id IS NULL, NEW.status, NULL),
  NEW.rented, NEW.on_own_website, NEW.on_other_websites, NEW.listed_at, NEW.currency,
  NEW.town, NEW.area, NEW.province, NEW.country, NEW.postcode, NEW.latitude, NEW.longitude,
  NEW.beds, NEW.bath, NEW.built_area, NEW.plot_area, NEW.terrace_area, NEW.living_area, NEW.built_year,
  NEW.community_fees, NEW.garbage_tax, NEW.ibi_fees, NEW.cadastral_ref,
  NEW.has_pool, NEW.has_garden, NEW.has_garage, NEW.emissions, NEW.consumption, NEW.virtual_tour_url, NEW.video_url
)
BEGIN
  INSERT INTO touches VALUES (NEW.id, 1, 1);
END;

CREATE TRIGGER properties_left_market AFTER UPDATE ON properties
WHEN NEW.off_market AND NOT OLD.off_market
BEGIN
  INSERT INTO revision_moves
  SELECT NEW.account_id, NEW.number,
         EXISTS (SELECT 1 FROM sale_offers WHERE property_id = NEW.id),
         EXISTS (SELECT 1 FROM long_term_offers WHERE property_id = NEW.id)
           OR EXISTS (SELECT 1 FROM short_term_offers WHERE property_id = NEW.id);
END;

CREATE TRIGGER properties_deleted BEFORE DELETE ON properties
WHEN NOT OLD.off_market
BEGIN
  INSERT INTO revision_moves
  SELECT OLD.account_id, OLD.number,
         EXISTS (SELECT 1 FROM sale_offers WHERE property_id = OLD.id),
         EXISTS (SELECT 1 FROM long_term_offers WHERE property_id = OLD.id)
           OR EXISTS (SELECT 1 FROM short_term_offers WHERE property_id = OLD.id);
END;

-- Offers: BEFORE DELETE, since a touch counts for a kind of feed only while the property has an offer of that kind.

CREATE TRIGGER sale_offers_inserted AFTER INSERT ON sale_offers
BEGIN
  INSERT INTO touches VALUES (NEW.property_id, 1, 0);
END;

CREATE TRIGGER sale_offers_updated AFTER UPDATE ON sale_offers
WHEN (OLD.property_id, OLD.price, OLD.minimum_price) IS NOT (NEW.property_id, NEW.price, NEW.minimum_price)
BEGIN
  INSERT INTO touches VALUES (NEW.property_id, 1, 0);
END;

CREATE TRIGGER sale_offers_deleted BEFORE DELETE ON sale_offers
BEGIN
  INSERT INTO touches VALUES (OLD.property_id, 1, 0);
END;

CREATE TRIGGER long_term_offers_inserted AFTER INSERT ON long_term_offers
BEGIN
  INSERT INTO touches VALUES (NEW.property_id, 0, 1);
END;

CREATE TRIGGER long_term_offers_updated AFTER UPDATE ON long_term_offers
WHEN (OLD.property_id, OLD.rent) IS NOT (NEW.property_id, NEW.rent)
BEGIN
  INSERT INTO touches VALUES (NEW.property_id, 0, 1);
END;

CREATE TRIGGER long_term_offers_deleted BEFORE DELETE ON long_term_offers
BEGIN
  INSERT INTO touches VALUES (OLD.property_id, 0, 1);
END;

CREATE TRIGGER short_term_offers_inserted AFTER INSERT ON short_term_offers
BEGIN
  INSERT INTO touches VALUES (NEW.property_id, 0, 1);
END;

CREATE TRIGGER short_term_offers_updated AFTER UPDATE ON short_term_offers
WHEN (OLD.property_id, OLD.low, OLD.high, OLD.license) IS NOT (NEW.property_id, NEW.low, NEW.high, NEW.license)
BEGIN
  INSERT INTO touches VALUES (NEW.property_id, 0, 1);
END;

CREATE TRIGGER short_term_offers_deleted BEFORE DELETE ON short_term_offers
BEGIN
  INSERT INTO touches VALUES (OLD.property_id, 0, 1);
END;

-- What hangs on a property keeps to it: moving a row to another property would leave the first one's feed unmoved.

CREATE TRIGGER sale_offers_moved BEFORE UPDATE OF property_id ON sale_offers WHEN OLD.property_id <> NEW.property_id
BEGIN
  SELECT RAISE(ABORT, 'an offer keeps to its property');
END;

CREATE TRIGGER long_term_offers_moved BEFORE UPDATE OF property_id ON long_term_offers WHEN OLD.property_id <> NEW.property_id
BEGIN
  SELECT RAISE(ABORT, 'an offer keeps to its property');
END;

CREATE TRIGGER short_term_offers_moved BEFORE UPDATE OF property_id ON short_term_offers WHEN OLD.property_id <> NEW.property_id
BEGIN
  SELECT RAISE(ABORT, 'an offer keeps to its property');
END;

CREATE TRIGGER property_texts_moved BEFORE UPDATE OF property_id ON property_texts WHEN OLD.property_id <> NEW.property_id
BEGIN
  SELECT RAISE(ABORT, 'a text keeps to its property');
END;

CREATE TRIGGER pictures_moved BEFORE UPDATE OF property_id ON pictures WHEN OLD.property_id <> NEW.property_id
BEGIN
  SELECT RAISE(ABORT, 'a picture keeps to its property');
END;

CREATE TRIGGER property_features_moved BEFORE UPDATE OF property_id ON property_features WHEN OLD.property_id <> NEW.property_id
BEGIN
  SELECT RAISE(ABORT, 'a feature keeps to its property');
END;

-- Texts: a feed shows descriptions; the page address (`url`) is in no feed.

CREATE TRIGGER property_texts_inserted AFTER INSERT ON property_texts WHEN NEW.description IS NOT NULL
BEGIN
  INSERT INTO touches VALUES (NEW.property_id, 1, 1);
END;

CREATE TRIGGER property_texts_updated AFTER UPDATE ON property_texts
WHEN OLD.description IS NOT NEW.description OR (OLD.language <> NEW.language AND NEW.description IS NOT NULL)
BEGIN
  INSERT INTO touches VALUES (NEW.property_id, 1, 1);
END;

CREATE TRIGGER property_texts_deleted AFTER DELETE ON property_texts WHEN OLD.description IS NOT NULL
BEGIN
  INSERT INTO touches VALUES (OLD.property_id, 1, 1);
END;

CREATE TRIGGER pictures_inserted AFTER INSERT ON pictures
BEGIN
  INSERT INTO touches VALUES (NEW.property_id, 1, 1);
END;

CREATE TRIGGER pictures_updated AFTER UPDATE ON pictures
WHEN (OLD.position, OLD.url) IS NOT (NEW.position, NEW.url)
BEGIN
  INSERT INTO touches VALUES (NEW.property_id, 1, 1);
END;

CREATE TRIGGER pictures_deleted AFTER DELETE ON pictures
BEGIN
  INSERT INTO touches VALUES (OLD.property_id, 1, 1);
END;

CREATE TRIGGER property_features_inserted AFTER INSERT ON property_features
BEGIN
  INSERT INTO touches VALUES (NEW.property_id, 1, 1);
END;

CREATE TRIGGER property_features_updated AFTER UPDATE ON property_features
WHEN (OLD.position, OLD.feature_id) IS NOT (NEW.position, NEW.feature_id)
BEGIN
  INSERT INTO touches VALUES (NEW.property_id, 1, 1);
END;

CREATE TRIGGER property_features_deleted AFTER DELETE ON property_features
BEGIN
  INSERT INTO touches VALUES (OLD.property_id, 1, 1);
END;

-- Developments and units: a sold unit is in no feed, and what is changed in it while it stays sold shows nowhere.

CREATE TRIGGER developments_updated AFTER UPDATE OF name ON developments WHEN OLD.name IS NOT NEW.name
BEGIN
  INSERT INTO touches
  SELECT p.id, 1, 1 FROM units u JOIN properties p ON p.unit_id = u.id WHERE u.development_id = NEW.id AND u.status <> 4;
END;

CREATE TRIGGER units_updated AFTER UPDATE ON units
WHEN (OLD.development_id, OLD.name, OLD.status, OLD.price, OLD.directions)
  IS NOT (NEW.development_id, NEW.name, NEW.status, NEW.price, NEW.directions)
BEGIN
  UPDATE units SET version = version + 1, changed_at = unixepoch() WHERE id = NEW.id;
  INSERT INTO touches
  SELECT id, 1,
         (OLD.development_id, OLD.name, OLD.status, OLD.directions)
           IS NOT (NEW.development_id, NEW.name, NEW.status, NEW.directions)
    FROM properties
   WHERE unit_id = NEW.id AND NOT (OLD.status = 4 AND NEW.status = 4);
END;

-- Vocabulary: a label is shown by every property that has the type or the feature. The vocabulary's own counter tells
-- whether a dictionary and a segment, read by two statements, belong together.

CREATE VIEW type_touches (type_id) AS SELECT 0 WHERE 0;

CREATE TRIGGER type_touches_called INSTEAD OF INSERT ON type_touches
BEGIN
  UPDATE accounts SET vocabulary_revision = vocabulary_revision + 1
   WHERE id = (SELECT account_id FROM property_types WHERE id = NEW.type_id);
  INSERT INTO touches SELECT id, 1, 1 FROM properties WHERE type_id = NEW.type_id;
END;

CREATE VIEW feature_touches (feature_id) AS SELECT 0 WHERE 0;

CREATE TRIGGER feature_touches_called INSTEAD OF INSERT ON feature_touches
BEGIN
  UPDATE accounts SET vocabulary_revision = vocabulary_revision + 1
   WHERE id = (SELECT account_id FROM features WHERE id = NEW.feature_id);
  INSERT INTO touches SELECT property_id, 1, 1 FROM property_features WHERE feature_id = NEW.feature_id;
END;

CREATE VIEW category_touches (category_id) AS SELECT 0 WHERE 0;

CREATE TRIGGER category_touches_called INSTEAD OF INSERT ON category_touches
BEGIN
  UPDATE accounts SET vocabulary_revision = vocabulary_revision + 1
   WHERE id = (SELECT account_id FROM feature_categories WHERE id = NEW.category_id);
  INSERT INTO touches
  SELECT DISTINCT pf.property_id, 1, 1
    FROM features f JOIN property_features pf ON pf.feature_id = f.id
   WHERE f.category_id = NEW.category_id;
END;

CREATE TRIGGER property_type_labels_inserted AFTER INSERT ON property_type_labels
BEGIN
  INSERT INTO type_touches VALUES (NEW.type_id);
END;

CREATE TRIGGER property_type_labels_updated AFTER UPDATE ON property_type_labels
WHEN (OLD.type_id, OLD.language, OLD.older_type, OLD.type, OLD.subtype)
  IS NOT (NEW.type_id, NEW.language, NEW.older_type, NEW.type, NEW.subtype)
BEGIN
  INSERT INTO type_touches SELECT OLD.type_id UNION SELECT NEW.type_id;
END;

CREATE TRIGGER property_type_labels_deleted AFTER DELETE ON property_type_labels
BEGIN
  INSERT INTO type_touches VALUES (OLD.type_id);
END;

CREATE TRIGGER features_inserted AFTER INSERT ON features
BEGIN
  INSERT INTO feature_touches VALUES (NEW.id);
END;

CREATE TRIGGER features_updated AFTER UPDATE OF category_id ON features WHEN OLD.category_id <> NEW.category_id
BEGIN
  INSERT INTO feature_touches VALUES (NEW.id);
END;

CREATE TRIGGER feature_labels_inserted AFTER INSERT ON feature_labels
BEGIN
  INSERT INTO feature_touches VALUES (NEW.feature_id);
END;

CREATE TRIGGER feature_labels_updated AFTER UPDATE ON feature_labels
WHEN (OLD.feature_id, OLD.language, OLD.label) IS NOT (NEW.feature_id, NEW.language, NEW.label)
BEGIN
  INSERT INTO feature_touches SELECT OLD.feature_id UNION SELECT NEW.feature_id;
END;

CREATE TRIGGER feature_labels_deleted AFTER DELETE ON feature_labels
BEGIN
  INSERT INTO feature_touches VALUES (OLD.feature_id);
END;

CREATE TRIGGER feature_categories_updated AFTER UPDATE OF code ON feature_categories WHEN OLD.code <> NEW.code
BEGIN
  INSERT INTO category_touches VALUES (NEW.id);
END;

CREATE TRIGGER feature_category_labels_inserted AFTER INSERT ON feature_category_labels
BEGIN
  INSERT INTO category_touches VALUES (NEW.category_id);
END;

CREATE TRIGGER feature_category_labels_updated AFTER UPDATE ON feature_category_labels
WHEN (OLD.category_id, OLD.language, OLD.label) IS NOT (NEW.category_id, NEW.language, NEW.label)
BEGIN
  INSERT INTO category_touches SELECT OLD.category_id UNION SELECT NEW.category_id;
END;

CREATE TRIGGER feature_category_labels_deleted AFTER DELETE ON feature_category_labels
BEGIN
  INSERT INTO category_touches VALUES (OLD.category_id);
END;
