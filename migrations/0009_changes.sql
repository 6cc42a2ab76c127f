-- What has changed since: one number per account, which every change of a document that callers can see advances in its own
-- transaction. D1 has one writer, so the order of the numbers is the order of the commits.
--
--   record_change  numbers a change of a listed property that no feed shows
--
-- The procedures of 0004_revisions.sql number the changes that they mark, in statements that they run anyway.

-- Properties that no feed has shown have no number: writing one of those costs one row less. SQLite begins at the first lower
-- bound that a condition states, so statements state that the number is above 0 last.
CREATE INDEX properties_by_change ON properties (account_id, change_number) WHERE change_number > 0;

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

-- Without these, every call of a webhook would read all units of its account.
CREATE INDEX units_by_change ON units (account_id, change_number);
CREATE INDEX removed_units_by_change ON removed_units (account_id, change_number);

-- The bit of the state in which each property is listed. Callers select states by a mask of these bits.
CREATE VIEW listed_states (property_id, bit) AS
SELECT p.id,
       1 << (
         p.for_sale + 2 * p.for_rent + 4 * (coalesce(u.feed_status, p.status) = 'Available')
         + 8 * (NOT p.rented) + 16 * (p.on_own_website AND p.on_other_websites)
       )
  FROM properties p LEFT JOIN units u ON u.id = p.unit_id
 WHERE p.listed AND (p.for_sale OR p.for_rent) AND coalesce(u.feed_status, p.status) <> 'Sold';

-- The kinds of readers that a listing can be kept from, and whether it is.
CREATE VIEW kinds_kept (property_id, kind, kept) AS
SELECT p.id, k.kind, ifnull(
         instr(p.restrictions, 'own_website_only') OR instr(p.restrictions, k.first) OR instr(p.restrictions, k.second), 0
       )
  FROM properties p
  JOIN (
    SELECT 'national_portal' AS kind, 'no_portals' AS first, 'no_portals' AS second
     UNION ALL SELECT 'international_portal', 'no_portals', 'not_abroad'
     UNION ALL SELECT 'partner_agency', 'own_website_only', 'own_website_only'
     UNION ALL SELECT 'social_media', 'no_social_media', 'no_social_media'
  ) k;

-- The states in which each property has been listed, with the one in which it is now. A property that has ever been restricted
-- also has, for each channel and kind of readers, the states that these have seen, under channel/kind: whoever has never been
-- allowed to see it does not learn its identifier.
CREATE VIEW states_seen (property_id, seen) AS
SELECT p.id,
       json_patch(
         p.seen,
         (
           SELECT json_group_object(audience.id, ifnull(p.seen ->> ('$."' || audience.id || '"'), 0) | iif(audience.kept, 0, s.bit))
             FROM listed_states s
             JOIN (
               SELECT '0' AS id, 0 AS kept
                UNION ALL
               SELECT CAST(c.channel_id AS TEXT), 0 FROM property_channels c
                WHERE c.account_id = p.account_id AND c.sequence_number = p.sequence_number
                UNION ALL
               SELECT '0/' || k.kind, k.kept FROM kinds_kept k
                WHERE k.property_id = p.id AND (p.restrictions IS NOT NULL OR instr(p.seen, '/'))
                UNION ALL
               SELECT c.channel_id || '/' || k.kind, k.kept
                 FROM property_channels c JOIN kinds_kept k ON k.property_id = p.id
                WHERE c.account_id = p.account_id AND c.sequence_number = p.sequence_number
                  AND (p.restrictions IS NOT NULL OR instr(p.seen, '/'))
             ) audience
            WHERE s.property_id = p.id
         )
       )
  FROM properties p;

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

-- Until its first restriction, readers of every kind have seen what readers without one have.
CREATE TRIGGER properties_restricted AFTER UPDATE OF restrictions ON properties
WHEN OLD.restrictions IS NOT NEW.restrictions
BEGIN
  UPDATE properties
     SET seen = json_patch(seen, (
           SELECT json_group_object(
                    before.key || '/' || k.kind,
                    ifnull(properties.seen ->> ('$."' || before.key || '/' || k.kind || '"'), 0) | before.value
                  )
             FROM json_each(OLD.seen) before JOIN kinds_kept k ON k.property_id = NEW.id
         ))
   WHERE id = NEW.id AND NOT instr(OLD.seen, '/')
; INSERT INTO mark_property_changed VALUES (NEW.id, 1, 1)
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

CREATE TRIGGER property_texts_updated_unseen AFTER UPDATE OF id, title, description, url ON property_texts
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

-- Several properties can have an identifier one after the other. The row says who has seen any of them, since a caller may not
-- have learned yet that an earlier one is gone.
CREATE TRIGGER record_removal_called INSTEAD OF INSERT ON record_removal WHEN NEW.seen <> '{}'
BEGIN
  UPDATE accounts SET change_number = change_number + 1 WHERE id = NEW.account_id
; INSERT INTO removed_properties (account_id, identifier, change_number, seen)
  SELECT a.id, NEW.identifier, a.change_number, NEW.seen FROM accounts a WHERE a.id = NEW.account_id
      ON CONFLICT (account_id, identifier) DO UPDATE
     SET change_number = excluded.change_number,
         seen = (
           SELECT json_group_object(key, coalesce(removed_properties.seen ->> path, removed_properties.seen ->> audience, 0)
                                       | coalesce(NEW.seen ->> path, NEW.seen ->> audience, 0))
             FROM (
               SELECT key, '$."' || key || '"' AS path, '$."' || substr(key, 1, instr(key || '/', '/') - 1) || '"' AS audience
                 FROM (SELECT key FROM json_each(removed_properties.seen) UNION SELECT key FROM json_each(NEW.seen))
             )
         )
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

-- Units. One that changes takes the number that its property takes: see units_updated in 0004_revisions.sql.

-- The versions of a unit continue after those of a removed one with the same name, so that no ETag recurs: each of those versions
-- took a number of the account.
CREATE TRIGGER units_inserted AFTER INSERT ON units
BEGIN
  UPDATE accounts SET change_number = change_number + 1 WHERE id = NEW.account_id
; UPDATE units
     SET change_number = (SELECT a.change_number FROM accounts a WHERE a.id = NEW.account_id),
         version = version + ifnull((
           SELECT r.change_number FROM developments d
             JOIN removed_units r ON (r.account_id, r.development, r.name) = (d.account_id, d.identifier, NEW.name)
            WHERE d.id = NEW.development_id), 0)
   WHERE id = NEW.id
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
