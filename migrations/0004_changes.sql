-- Every change of what a feed or a follower may show takes the next number of its account in its own transaction, whoever
-- writes, and so do the property, its segment and its development. A property without a number, 0, takes the next one. See
-- README.md.
-- The time of a change is never in the future, but for a second change within one second.

CREATE TRIGGER properties_inserted AFTER INSERT ON properties WHEN NEW.change = 0
BEGIN UPDATE accounts SET changes = changes + 1, changed_at = max(changed_at, unixepoch()),
      segments = iif(NEW.listed, json_set(segments, NEW.path, json_array(changes + 1, ifnull(segments ->> (NEW.path || '[1]'), 0) + NEW.bytes)), segments),
      developments = json_patch(developments, (SELECT json_group_object(u.development_id, accounts.changes + 1) FROM units u WHERE u.id = NEW.unit_id))
   WHERE id = NEW.account_id
; UPDATE properties SET change = (SELECT a.changes FROM accounts a WHERE a.id = NEW.account_id), changed_at = iif(NEW.changed_at, NEW.changed_at, unixepoch()),
      shown_to = iif(NEW.listed, (SELECT json_group_array(value || NEW.restrictions) FROM json_each(json_insert(NEW.channels, '$[#]', '*'))), '[]')
   WHERE id = NEW.id
; END;

CREATE TRIGGER properties_updated AFTER UPDATE OF document, pictures, texts, unit_id, changed_at, change ON properties WHEN NEW.change = 0 OR NEW.change = OLD.change
  AND (OLD.document, OLD.pictures, OLD.texts, OLD.unit_id, OLD.changed_at) IS NOT (NEW.document, NEW.pictures, NEW.texts, NEW.unit_id, NEW.changed_at)
BEGIN UPDATE accounts SET changes = changes + 1, changed_at = max(changed_at, unixepoch()), units_moved = iif(OLD.unit_id IS NEW.unit_id, units_moved, changes + 1),
      segments = iif(OLD.listed OR NEW.listed, json_set(segments, NEW.path, json_array(changes + 1,
        ifnull(segments ->> (NEW.path || '[1]'), 0) + NEW.listed * NEW.bytes - OLD.listed * OLD.bytes)), segments),
      developments = json_patch(developments, (SELECT json_group_object(u.development_id, accounts.changes + 1) FROM units u WHERE u.id IN (OLD.unit_id, NEW.unit_id))) WHERE id = NEW.account_id
; UPDATE properties SET change = (SELECT a.changes FROM accounts a WHERE a.id = NEW.account_id), changed_at = iif(NEW.changed_at > OLD.changed_at, NEW.changed_at, max(unixepoch(), min(OLD.changed_at, unixepoch()) + 1)),
      shown_to = iif(NEW.listed, (SELECT json_group_array(value) FROM (SELECT value FROM json_each(NEW.shown_to)
        UNION SELECT value || NEW.restrictions FROM json_each(json_insert(NEW.channels, '$[#]', '*')))), NEW.shown_to) WHERE id = NEW.id
; END;

CREATE TRIGGER properties_deleted AFTER DELETE ON properties
BEGIN UPDATE accounts SET changes = changes + 1, changed_at = max(changed_at, unixepoch()),
      segments = iif(OLD.listed, json_set(segments, OLD.path, json_array(changes + 1, ifnull(segments ->> (OLD.path || '[1]'), 0) - OLD.bytes)), segments),
      developments = json_patch(developments, (SELECT json_group_object(u.development_id, accounts.changes + 1) FROM units u WHERE u.id = OLD.unit_id))
   WHERE id = OLD.account_id
; INSERT INTO removals SELECT a.id, OLD.identifier, a.changes, OLD.shown_to FROM accounts a WHERE a.id = OLD.account_id AND OLD.shown_to <> '[]'
      ON CONFLICT (account_id, identifier) DO UPDATE SET change = excluded.change,
      shown_to = (SELECT json_group_array(value) FROM (SELECT value FROM json_each(removals.shown_to) UNION SELECT value FROM json_each(excluded.shown_to)))
; END;

CREATE TRIGGER properties_permanent BEFORE UPDATE OF id, account_id, number, identifier ON properties
BEGIN
  SELECT RAISE(ABORT, 'the account, the number and the identifier of a property are permanent')
   WHERE (OLD.id, OLD.account_id, OLD.number, OLD.identifier) IS NOT (NEW.id, NEW.account_id, NEW.number, NEW.identifier)
; END;

-- The versions of a unit continue after those of a removed one with the same name, so that no ETag recurs: each of those versions
-- took a number of the account.
CREATE TRIGGER units_inserted AFTER INSERT ON units WHEN NEW.change = 0
BEGIN
  UPDATE accounts SET changes = changes + 1, changed_at = max(changed_at, unixepoch()), developments = json_set(developments, '$.' || NEW.development_id, changes + 1)
   WHERE id = NEW.account_id
; UPDATE units
     SET change = (SELECT a.changes FROM accounts a WHERE a.id = NEW.account_id),
         version = version + ifnull((SELECT r.change FROM removed_units r JOIN developments d ON (r.account_id, r.development) = (d.account_id, d.identifier)
                                      WHERE d.id = NEW.development_id AND r.name = NEW.name), 0)
   WHERE id = NEW.id
; END;

CREATE TRIGGER units_updated AFTER UPDATE OF status, price, directions ON units WHEN (OLD.status, OLD.price, OLD.directions) IS NOT (NEW.status, NEW.price, NEW.directions)
BEGIN
  UPDATE accounts
     SET changes = changes + 1, changed_at = max(changed_at, unixepoch()), developments = json_set(developments, '$.' || NEW.development_id, changes + 1),
         segments = ifnull((SELECT json_set(accounts.segments, p.path || '[0]', accounts.changes + 1) FROM properties p WHERE p.unit_id = NEW.id AND p.listed), segments)
   WHERE id = NEW.account_id
; UPDATE units SET change = (SELECT a.changes FROM accounts a WHERE a.id = NEW.account_id) WHERE id = NEW.id
; UPDATE properties SET change = (SELECT a.changes FROM accounts a WHERE a.id = NEW.account_id), changed_at = max(unixepoch(), min(changed_at, unixepoch()) + 1)
   WHERE unit_id = NEW.id
; END;

CREATE TRIGGER units_deleted AFTER DELETE ON units
BEGIN
  UPDATE accounts SET changes = changes + 1, changed_at = max(changed_at, unixepoch()), developments = json_set(developments, '$.' || OLD.development_id, changes + 1)
   WHERE id = OLD.account_id
; INSERT INTO removed_units SELECT a.id, d.identifier, OLD.name, a.changes FROM accounts a JOIN developments d ON d.account_id = a.id AND d.id = OLD.development_id
   WHERE a.id = OLD.account_id
      ON CONFLICT (account_id, development, name) DO UPDATE SET change = excluded.change
; END;

CREATE TRIGGER units_permanent BEFORE UPDATE OF id, account_id, development_id, name ON units
BEGIN
  SELECT RAISE(ABORT, 'the development and the name of a unit are permanent')
   WHERE (OLD.id, OLD.account_id, OLD.development_id, OLD.name) IS NOT (NEW.id, NEW.account_id, NEW.development_id, NEW.name)
; END;

CREATE TRIGGER developments_inserted AFTER INSERT ON developments
BEGIN
  UPDATE accounts SET changes = changes + 1, changed_at = max(changed_at, unixepoch()), developments = json_set(developments, '$.' || NEW.id, changes + 1)
   WHERE id = NEW.account_id
; END;

-- The records of its units show its name, and whether a format has them within it depends on where it is.
CREATE TRIGGER developments_updated AFTER UPDATE OF document ON developments WHEN OLD.document <> NEW.document
BEGIN
  UPDATE accounts SET changes = changes + 1, changed_at = max(changed_at, unixepoch()), units_moved = changes + 1, developments = json_set(developments, '$.' || NEW.id, changes + 1)
   WHERE id = NEW.account_id
; UPDATE properties SET change = 0
   WHERE unit_id IN (SELECT u.id FROM units u WHERE u.development_id = NEW.id)
     AND json_extract(OLD.document, '$.name', '$.details.address', '$.details.town', '$.details.province', '$.details.country', '$.details.location')
      IS NOT json_extract(NEW.document, '$.name', '$.details.address', '$.details.town', '$.details.province', '$.details.country', '$.details.location')
; END;

-- Its units are deleted here, because the cascade deletes them when its identifier is gone.
CREATE TRIGGER developments_deleted BEFORE DELETE ON developments
BEGIN
  DELETE FROM units WHERE development_id = OLD.id
; UPDATE accounts SET changes = changes + 1, changed_at = max(changed_at, unixepoch()), developments = json_remove(developments, '$.' || OLD.id)
   WHERE id = OLD.account_id
; END;

CREATE TRIGGER vocabulary_inserted AFTER INSERT ON vocabulary
BEGIN
  UPDATE accounts SET changes = changes + 1, vocabulary = changes + 1 WHERE id = NEW.account_id
; END;

-- The records of properties show its labels. A property whose document has its code for another reason is built again in vain.
CREATE TRIGGER vocabulary_updated AFTER UPDATE OF document ON vocabulary WHEN OLD.document <> NEW.document
BEGIN
  UPDATE accounts SET changes = changes + 1, changed_at = max(changed_at, unixepoch()), vocabulary = changes + 1 WHERE id = NEW.account_id
; UPDATE properties SET change = 0
   WHERE account_id = NEW.account_id AND listed AND (NEW.kind = 'category' OR instr(document, json_quote(NEW.code)))
; END;

-- Every change advances this number, so none is possible while the account is copied to another database.
CREATE TRIGGER accounts_frozen BEFORE UPDATE OF changes ON accounts WHEN OLD.frozen AND NEW.changes <> OLD.changes
BEGIN
  SELECT RAISE(ABORT, 'the account is being moved')
; END;
