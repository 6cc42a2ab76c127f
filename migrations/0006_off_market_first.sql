-- What is written of a property off the market shows in no feed: the triggers of its parts see to that first. A writer that
-- withdraws a property, writes its parts and lists it again would else call `touches` for each part, to no effect.

DROP TRIGGER property_texts_inserted;
CREATE TRIGGER property_texts_inserted AFTER INSERT ON property_texts
WHEN NEW.description IS NOT NULL AND NOT (SELECT off_market FROM properties WHERE id = NEW.property_id)
BEGIN
  INSERT INTO touches VALUES (NEW.property_id, 1, 1);
END;

DROP TRIGGER property_texts_deleted;
CREATE TRIGGER property_texts_deleted AFTER DELETE ON property_texts
WHEN OLD.description IS NOT NULL AND NOT (SELECT off_market FROM properties WHERE id = OLD.property_id)
BEGIN
  INSERT INTO touches VALUES (OLD.property_id, 1, 1);
END;

DROP TRIGGER pictures_inserted;
CREATE TRIGGER pictures_inserted AFTER INSERT ON pictures
WHEN NOT (SELECT off_market FROM properties WHERE id = NEW.property_id)
BEGIN
  INSERT INTO touches VALUES (NEW.property_id, 1, 1);
END;

DROP TRIGGER pictures_deleted;
CREATE TRIGGER pictures_deleted AFTER DELETE ON pictures
WHEN NOT (SELECT off_market FROM properties WHERE id = OLD.property_id)
BEGIN
  INSERT INTO touches VALUES (OLD.property_id, 1, 1);
END;

DROP TRIGGER property_features_inserted;
CREATE TRIGGER property_features_inserted AFTER INSERT ON property_features
WHEN NOT (SELECT off_market FROM properties WHERE id = NEW.property_id)
BEGIN
  INSERT INTO touches VALUES (NEW.property_id, 1, 1);
END;

DROP TRIGGER property_features_deleted;
CREATE TRIGGER property_features_deleted AFTER DELETE ON property_features
WHEN NOT (SELECT off_market FROM properties WHERE id = OLD.property_id)
BEGIN
  INSERT INTO touches VALUES (OLD.property_id, 1, 1);
END;
