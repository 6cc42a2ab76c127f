-- The developments of which a channel has ever had a unit, as a JSON object of their ids: it can contain these and no others.

ALTER TABLE channels ADD COLUMN developments TEXT NOT NULL DEFAULT '{}' CHECK (json_type(developments) = 'object');

UPDATE channels
   SET developments = (
     SELECT json_group_object(CAST(u.development_id AS TEXT), 1)
       FROM property_channels c
       JOIN properties p ON p.account_id = c.account_id AND p.sequence_number = c.sequence_number
       JOIN units u ON u.id = p.unit_id
      WHERE c.channel_id = channels.id
   );

CREATE VIEW enter_development (channel_id, development_id) AS SELECT 0, 0 WHERE 0;

CREATE TRIGGER enter_development_called INSTEAD OF INSERT ON enter_development
BEGIN
  UPDATE channels
     SET developments = json_set(developments, '$.' || NEW.development_id, 1)
   WHERE id = NEW.channel_id AND developments ->> ('$.' || NEW.development_id) IS NULL
; END;

CREATE TRIGGER property_channels_inserted_development AFTER INSERT ON property_channels
BEGIN
  INSERT INTO enter_development
  SELECT NEW.channel_id, u.development_id
    FROM properties p
    JOIN units u ON u.id = p.unit_id
   WHERE p.account_id = NEW.account_id AND p.sequence_number = NEW.sequence_number
; END;

CREATE TRIGGER properties_entered_development AFTER UPDATE OF unit_id ON properties
WHEN NEW.unit_id IS NOT NULL AND NEW.unit_id IS NOT OLD.unit_id
BEGIN
  INSERT INTO enter_development
  SELECT c.channel_id, u.development_id
    FROM property_channels c
    JOIN units u ON u.id = NEW.unit_id
   WHERE c.account_id = NEW.account_id AND c.sequence_number = NEW.sequence_number
; END;

CREATE TRIGGER units_entered_development AFTER UPDATE OF development_id ON units
WHEN NEW.development_id <> OLD.development_id
BEGIN
  INSERT INTO enter_development
  SELECT c.channel_id, NEW.development_id
    FROM properties p
    JOIN property_channels c ON c.account_id = p.account_id AND c.sequence_number = p.sequence_number
   WHERE p.unit_id = NEW.id
; END;

-- What a channel shows of a development has changed: its time advances, as that of the account does.

CREATE TRIGGER developments_updated_channels AFTER UPDATE OF identifier, name, details ON developments
WHEN (OLD.identifier, OLD.name, OLD.details) IS NOT (NEW.identifier, NEW.name, NEW.details)
BEGIN
  UPDATE channels
     SET changed_at = iif(unixepoch() < changed_at, changed_at + 1, unixepoch())
   WHERE account_id = NEW.account_id AND developments ->> ('$.' || NEW.id) IS NOT NULL
; END;

CREATE TRIGGER developments_deleted_channels AFTER DELETE ON developments
BEGIN
  UPDATE channels
     SET changed_at = iif(unixepoch() < changed_at, changed_at + 1, unixepoch())
   WHERE account_id = OLD.account_id AND developments ->> ('$.' || OLD.id) IS NOT NULL
; END;
