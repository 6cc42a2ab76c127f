-- A feed of sales and rentals shows the later of a property's two times. So that it moves with every change, each of them
-- moves beyond both.
DROP TRIGGER touches_called;
CREATE TRIGGER touches_called INSTEAD OF INSERT ON touches
BEGIN
  UPDATE properties
     SET sale_updated_at = iif(
           NEW.sale AND EXISTS (SELECT 1 FROM sale_offers WHERE property_id = NEW.property_id),
           max(unixepoch(), sale_updated_at + 1, rental_updated_at + 1),
           sale_updated_at
         ),
         rental_updated_at = iif(
           NEW.rental AND (EXISTS (SELECT 1 FROM long_term_offers WHERE property_id = NEW.property_id)
             OR EXISTS (SELECT 1 FROM short_term_offers WHERE property_id = NEW.property_id)),
           max(unixepoch(), sale_updated_at + 1, rental_updated_at + 1),
           rental_updated_at
         )
   WHERE id = NEW.property_id AND NOT off_market;
END;

-- REPLACE deletes the row in its way without a DELETE trigger.

CREATE TRIGGER units_replaced BEFORE INSERT ON units
BEGIN
  INSERT INTO touches SELECT id, 1, 1 FROM properties WHERE unit_id = NEW.id;
END;

CREATE TRIGGER property_types_inserted AFTER INSERT ON property_types
BEGIN
  INSERT INTO type_touches VALUES (NEW.id);
END;

CREATE TRIGGER property_texts_replaced BEFORE INSERT ON property_texts WHEN NEW.description IS NULL
BEGIN
  INSERT INTO touches
  SELECT property_id, 1, 1 FROM property_texts
   WHERE property_id = NEW.property_id AND language = NEW.language AND description IS NOT NULL;
END;

CREATE TRIGGER property_texts_moved_over BEFORE UPDATE OF language ON property_texts WHEN OLD.language <> NEW.language
BEGIN
  INSERT INTO touches
  SELECT property_id, 1, 1 FROM property_texts
   WHERE property_id = NEW.property_id AND language = NEW.language AND description IS NOT NULL;
END;
