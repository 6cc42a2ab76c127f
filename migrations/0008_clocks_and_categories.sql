-- REPLACE deletes the category in its way, and its labels, without a DELETE trigger.
CREATE TRIGGER feature_categories_inserted AFTER INSERT ON feature_categories
BEGIN
  INSERT INTO category_touches VALUES (NEW.id);
END;

-- A date moves with each change, but for those within one second, even where the clock has gone back behind it.
DROP TRIGGER revision_moves_called;
CREATE TRIGGER revision_moves_called INSTEAD OF INSERT ON revision_moves
BEGIN
  UPDATE segments
     SET sale_revision = sale_revision + NEW.sale, rental_revision = rental_revision + NEW.rental
   WHERE account_id = NEW.account_id AND segment = (NEW.number - 1) / 500;
  UPDATE accounts
     SET sale_revision = sale_revision + NEW.sale,
         rental_revision = rental_revision + NEW.rental,
         sale_changed_at = iif(NEW.sale, iif(unixepoch() < sale_changed_at, sale_changed_at + 1, unixepoch()), sale_changed_at),
         rental_changed_at = iif(NEW.rental, iif(unixepoch() < rental_changed_at, rental_changed_at + 1, unixepoch()), rental_changed_at)
   WHERE id = NEW.account_id;
END;
