-- The history is where a unit is changed: an entry makes the change that it tells of, so neither can be without the other.
CREATE TRIGGER unit_history_inserted AFTER INSERT ON unit_history
BEGIN
  UPDATE units
     SET status = NEW.to_status, price = NEW.to_price, directions = NEW.to_directions
   WHERE id = NEW.unit_id AND account_id = NEW.account_id;
END;
