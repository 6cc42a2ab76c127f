-- What the report on an account takes from the database, apart from the properties themselves.

-- What an account has chosen for its reports. No row: rules for all portals, none muted.
CREATE TABLE report_settings (
  account_id INTEGER PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  -- The portals that it sends its properties to, and the codes of the rules that it has muted: lists in JSON.
  portals TEXT NOT NULL CHECK (json_type(portals) = 'array'),
  muted TEXT NOT NULL CHECK (json_type(muted) = 'array')
) STRICT;

-- Properties whose price has changed by a factor of three or more, and has not come back.
CREATE TABLE price_jumps (
  property_id INTEGER PRIMARY KEY REFERENCES properties (id) ON DELETE CASCADE,
  account_id INTEGER NOT NULL,
  price_before REAL NOT NULL,
  price_after REAL NOT NULL,
  changed_at INTEGER NOT NULL DEFAULT (unixepoch())
) STRICT;

CREATE INDEX price_jumps_of_account ON price_jumps (account_id);

-- A second jump is compared with the price before the first, so that a correction removes the row.
CREATE TRIGGER properties_price_jumped AFTER UPDATE OF sale_price ON properties
WHEN OLD.sale_price > 0 AND NEW.sale_price > 0
 AND (NEW.sale_price >= 3 * OLD.sale_price OR OLD.sale_price >= 3 * NEW.sale_price)
BEGIN
  INSERT INTO price_jumps (property_id, account_id, price_before, price_after)
  VALUES (NEW.id, NEW.account_id, OLD.sale_price, NEW.sale_price)
      ON CONFLICT (property_id) DO UPDATE SET price_after = excluded.price_after, changed_at = excluded.changed_at
  ; DELETE FROM price_jumps WHERE property_id = NEW.id
     AND price_after < 3 * price_before AND price_before < 3 * price_after
; END;
