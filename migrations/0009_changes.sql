-- What has changed since: one number per account, which every change of a document that callers can see advances in its own
-- transaction. D1 has one writer, so the order of the numbers is the order of the commits.
--
--   record_change  numbers a change of a listed property that no feed shows
--
-- It replaces the procedures of 0004_revisions.sql with ones that also number the changes they mark, in statements that they
-- run anyway.

ALTER TABLE accounts ADD COLUMN change_number INTEGER NOT NULL DEFAULT 0;

-- The number of the last change.
ALTER TABLE properties ADD COLUMN change_number INTEGER NOT NULL DEFAULT 0;
ALTER TABLE units ADD COLUMN change_number INTEGER NOT NULL DEFAULT 0;

-- The states in which the property has been listed, for each channel and, under 0, for callers without a channel: a JSON object
-- {channel: bits}, with a bit for each combination of listed_states. A caller never learns the identifier of a property that
-- was never listed in a state that the caller sees.
ALTER TABLE properties ADD COLUMN seen TEXT NOT NULL DEFAULT '{}' CHECK (json_type(seen) = 'object');

CREATE INDEX properties_by_change ON properties (account_id, change_number);

-- Identifiers that listed properties had until they were deleted or renamed.
CREATE TABLE removed_properties (
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  identifier TEXT NOT NULL,
  change_number INTEGER NOT NULL,
  seen TEXT NOT NULL,
  PRIMARY KEY (account_id, identifier)
) STRICT, WITHOUT ROWID;

CREATE INDEX removed_properties_by_change ON removed_properties (account_id, change_number);

CREATE TABLE removed_units (
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  development TEXT NOT NULL,
  name TEXT NOT NULL,
  change_number INTEGER NOT NULL,
  PRIMARY KEY (account_id, development, name)
) STRICT, WITHOUT ROWID;

-- Which time line the numbers belong to. After the database has been restored to an earlier state, the operator advances it.
CREATE TABLE time_line (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  incarnation INTEGER NOT NULL
) STRICT;

INSERT INTO time_line VALUES (1, 1);

-- The bit of the state in which each property is listed. Callers select states by a mask of these bits.
CREATE VIEW listed_states (property_id, bit) AS
SELECT p.id,
       1 << (
         p.for_sale + 2 * p.for_rent + 4 * (coalesce(u.feed_status, p.status) = 'Available')
         + 8 * (NOT p.rented) + 16 * (p.on_own_website AND p.on_other_websites)
       )
  FROM properties p LEFT JOIN units u ON u.id = p.unit_id
 WHERE p.listed AND (p.for_sale OR p.for_rent) AND coalesce(u.feed_status, p.status) <> 'Sold';

-- The states in which each property has been listed, with the one in which it is now.
CREATE VIEW states_seen (property_id, seen) AS
SELECT p.id,
       json_patch(
         p.seen,
         (
           SELECT json_group_object(audience.id, ifnull(p.seen ->> ('$.' || audience.id), 0) | s.bit)
             FROM listed_states s
             JOIN (
               SELECT '0' AS id
                UNION ALL
               SELECT CAST(c.channel_id AS TEXT) FROM property_channels c
                WHERE c.account_id = p.account_id AND c.sequence_number = p.sequence_number
             ) audience
            WHERE s.property_id = p.id
         )
       )
  FROM properties p;

UPDATE properties SET change_number = sequence_number, seen = (SELECT s.seen FROM states_seen s WHERE s.property_id = properties.id)
 WHERE listed;
UPDATE units SET change_number = id;
UPDATE accounts
   SET change_number = max(
         (SELECT ifnull(max(p.change_number), 0) FROM properties p WHERE p.account_id = accounts.id),
         (SELECT ifnull(max(u.change_number), 0) FROM units u WHERE u.account_id = accounts.id)
       );

CREATE VIEW record_change (property_id) AS SELECT 0 WHERE 0;

CREATE TRIGGER record_change_called INSTEAD OF INSERT ON record_change
-- When an account is deleted, the assignments to its channels are deleted before its properties.
WHEN (SELECT p.listed FROM properties p JOIN accounts a ON a.id = p.account_id WHERE p.id = NEW.property_id)
BEGIN
  UPDATE accounts SET change_number = change_number + 1
   WHERE id = (SELECT account_id FROM properties WHERE id = NEW.property_id)
; UPDATE properties
     SET change_number = (SELECT a.change_number FROM accounts a WHERE a.id = properties.account_id),
         seen = (SELECT s.seen FROM states_seen s WHERE s.property_id = properties.id)
   WHERE id = NEW.property_id
; END;

DROP TRIGGER advance_revisions_called;

-- A time of change advances with every change, except within one second, even if the clock has been set back.
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
         sale_revision = sale_revision + NEW.sale,
         rental_revision = rental_revision + NEW.rental,
         sale_changed_at = iif(NEW.sale, iif(unixepoch() < sale_changed_at, sale_changed_at + 1, unixepoch()), sale_changed_at),
         rental_changed_at = iif(NEW.rental, iif(unixepoch() < rental_changed_at, rental_changed_at + 1, unixepoch()), rental_changed_at),
         change_number = change_number + 1
   WHERE id = NEW.account_id
; END;

DROP TRIGGER mark_property_changed_called;

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

DROP TRIGGER record_revisions_called;

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
   WHERE id = NEW.property_id AND (NEW.sale OR NEW.rental)
; END;

-- What documents show, but no feed.

CREATE TRIGGER properties_changed_unseen AFTER UPDATE OF
  source_changed_at, prime, commission, address, floor, email
ON properties
WHEN NEW.change_number = OLD.change_number
  AND (OLD.source_changed_at, OLD.prime, OLD.commission, OLD.address, OLD.floor, OLD.email)
    IS NOT (NEW.source_changed_at, NEW.prime, NEW.commission, NEW.address, NEW.floor, NEW.email)
BEGIN
  INSERT INTO record_change VALUES (NEW.id)
; END;

CREATE TRIGGER property_texts_inserted_unseen AFTER INSERT ON property_texts
WHEN NEW.title IS NOT NULL OR NEW.language > 14
BEGIN
  INSERT INTO record_change VALUES (NEW.property_id)
; END;

CREATE TRIGGER property_texts_updated_unseen AFTER UPDATE OF language, title, description, url ON property_texts
WHEN OLD.title IS NOT NEW.title
  OR max(OLD.language, NEW.language) > 14
    AND (OLD.language, OLD.description, OLD.url) IS NOT (NEW.language, NEW.description, NEW.url)
BEGIN
  INSERT INTO record_change VALUES (NEW.property_id)
; END;

CREATE TRIGGER property_texts_deleted_unseen AFTER DELETE ON property_texts
WHEN OLD.title IS NOT NULL OR OLD.language > 14
BEGIN
  INSERT INTO record_change VALUES (OLD.property_id)
; END;

CREATE TRIGGER features_updated_unseen AFTER UPDATE OF code ON features WHEN OLD.code <> NEW.code
BEGIN
  INSERT INTO record_change
  SELECT p.id FROM properties p
   WHERE p.account_id = NEW.account_id AND instr(',' || p.features || ',', ',' || NEW.id || ',') > 0
; END;

CREATE TRIGGER property_channels_inserted_seen AFTER INSERT ON property_channels
BEGIN
  INSERT INTO record_change
  SELECT p.id FROM properties p WHERE p.account_id = NEW.account_id AND p.sequence_number = NEW.sequence_number
; END;

CREATE TRIGGER property_channels_deleted_seen AFTER DELETE ON property_channels
BEGIN
  INSERT INTO record_change
  SELECT p.id FROM properties p WHERE p.account_id = OLD.account_id AND p.sequence_number = OLD.sequence_number
; END;

-- Properties that are deleted or get another identifier.

CREATE VIEW record_removal (account_id, identifier, seen) AS SELECT 0, '', '' WHERE 0;

CREATE TRIGGER record_removal_called INSTEAD OF INSERT ON record_removal WHEN NEW.seen <> '{}'
BEGIN
  UPDATE accounts SET change_number = change_number + 1 WHERE id = NEW.account_id
; INSERT INTO removed_properties (account_id, identifier, change_number, seen)
  SELECT a.id, NEW.identifier, a.change_number, NEW.seen FROM accounts a WHERE a.id = NEW.account_id
      ON CONFLICT (account_id, identifier) DO UPDATE SET change_number = excluded.change_number, seen = excluded.seen
; END;

CREATE TRIGGER properties_removed AFTER DELETE ON properties
BEGIN
  INSERT INTO record_removal VALUES (OLD.account_id, OLD.identifier, OLD.seen)
; END;

CREATE TRIGGER properties_removed_by_replace BEFORE INSERT ON properties
BEGIN
  INSERT INTO record_removal
  SELECT account_id, identifier, seen FROM properties
   WHERE id = NEW.id OR unit_id = NEW.unit_id
      OR (account_id = NEW.account_id AND sequence_number = NEW.sequence_number)
      OR (account_id = NEW.account_id AND identifier = NEW.identifier)
; END;

-- Nobody has seen the new identifier, except those who see the property now.
CREATE TRIGGER properties_renamed AFTER UPDATE OF identifier ON properties WHEN OLD.identifier <> NEW.identifier
BEGIN
  INSERT INTO record_removal VALUES (OLD.account_id, OLD.identifier, OLD.seen)
; UPDATE properties SET seen = '{}' WHERE id = NEW.id
; INSERT INTO record_change VALUES (NEW.id)
; END;

-- Units. One that changes takes the number that its property takes, and advances the number of the account if that has not.

DROP TRIGGER units_updated;

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

CREATE TRIGGER units_inserted AFTER INSERT ON units
BEGIN
  UPDATE accounts SET change_number = change_number + 1 WHERE id = NEW.account_id
; UPDATE units SET change_number = (SELECT a.change_number FROM accounts a WHERE a.id = NEW.account_id) WHERE id = NEW.id
; END;

CREATE VIEW record_unit_removal (account_id, development_id, name) AS SELECT 0, 0, '' WHERE 0;

CREATE TRIGGER record_unit_removal_called INSTEAD OF INSERT ON record_unit_removal
BEGIN
  UPDATE accounts SET change_number = change_number + 1 WHERE id = NEW.account_id
; INSERT INTO removed_units (account_id, development, name, change_number)
  SELECT a.id, d.identifier, NEW.name, a.change_number
    FROM accounts a JOIN developments d ON d.account_id = a.id
   WHERE a.id = NEW.account_id AND d.id = NEW.development_id
      ON CONFLICT (account_id, development, name) DO UPDATE SET change_number = excluded.change_number
; END;

CREATE TRIGGER units_removed BEFORE DELETE ON units
BEGIN
  INSERT INTO record_unit_removal VALUES (OLD.account_id, OLD.development_id, OLD.name)
; END;

-- The units of a deleted development are deleted after it, when its identifier is gone.
CREATE TRIGGER developments_removed BEFORE DELETE ON developments
BEGIN
  INSERT INTO record_unit_removal SELECT account_id, development_id, name FROM units WHERE development_id = OLD.id
; END;

CREATE TRIGGER developments_renamed BEFORE UPDATE OF identifier ON developments WHEN OLD.identifier <> NEW.identifier
BEGIN
  SELECT RAISE(ABORT, 'the identifier of a development is permanent')
; END;
