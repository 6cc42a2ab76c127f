-- A new property is inserted as withdrawn, gets its texts and channels, and is listed last by one statement, which sets its
-- times, its revisions and the number of its change. Each of these is one row written, as D1 bills it.

-- Properties that no feed has shown have no number: writing one of those costs one row less.
DROP INDEX properties_by_change;
CREATE INDEX properties_by_change ON properties (account_id, change_number) WHERE change_number > 0;

-- Also for a writer that has set the revisions, but not the number of the change that it makes.
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
   WHERE id = NEW.property_id
     AND (
       NEW.sale OR NEW.rental
       OR listed AND (for_sale OR for_rent)
         AND change_number <> (SELECT a.change_number FROM accounts a WHERE a.id = properties.account_id)
     )
; END;

-- A writer that gives the revision of the assignment itself writes one row less.
DROP TRIGGER property_channels_inserted;

CREATE TRIGGER property_channels_inserted AFTER INSERT ON property_channels
BEGIN
  INSERT INTO advance_channel VALUES (NEW.account_id, NEW.sequence_number, NEW.channel_id)
; UPDATE property_channels
     SET revision = (SELECT c.revision FROM channels c WHERE c.id = NEW.channel_id)
   WHERE account_id = NEW.account_id AND sequence_number = NEW.sequence_number AND channel_id = NEW.channel_id
     AND revision < (SELECT c.revision FROM channels c WHERE c.id = NEW.channel_id)
; END;

-- Listed properties that were inserted with texts have had no number until now: those who follow the changes have not seen them.
UPDATE properties
   SET change_number = (SELECT a.change_number FROM accounts a WHERE a.id = properties.account_id) + sequence_number,
       seen = (SELECT s.seen FROM states_seen s WHERE s.property_id = properties.id)
 WHERE change_number = 0 AND listed AND (for_sale OR for_rent);

UPDATE accounts
   SET change_number = max(
         change_number,
         (SELECT ifnull(max(p.change_number), 0) FROM properties p WHERE p.account_id = accounts.id)
       );
