-- What feeds of new developments show of a development, as JSON: the details in its document. NULL if nothing is stated.
ALTER TABLE developments ADD COLUMN details TEXT
  CHECK (json_type(details) = 'object' AND length(CAST(details AS BLOB)) <= 1000000);

-- The revisions of each development, as a JSON object {development: [of its units and itself, of itself]}, and when the second
-- of any last advanced. Feeds of new developments have a part for each development, which depends on these.
ALTER TABLE accounts ADD COLUMN developments TEXT NOT NULL DEFAULT '{}' CHECK (json_type(developments) = 'object');
ALTER TABLE accounts ADD COLUMN developments_changed_at INTEGER NOT NULL DEFAULT 0;

UPDATE accounts
   SET developments = (
         SELECT json_group_object(CAST(d.id AS TEXT), json_array(0, 0)) FROM developments d WHERE d.account_id = accounts.id
       );

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

DROP TRIGGER advance_revisions_called;

-- As in 0014_confirmed_deliveries.sql, with the revision of the development that the property belongs to.
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
   WHERE id IN (
     SELECT channel_id FROM property_channels
      WHERE account_id = NEW.account_id AND sequence_number = NEW.sequence_number
   )
; END;
