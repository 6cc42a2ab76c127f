-- The number of the last change that has deleted a property: whoever keeps a list of them learns of the others by their own numbers.

ALTER TABLE accounts ADD COLUMN deleted INTEGER NOT NULL DEFAULT 0;

DROP TRIGGER properties_deleted;

CREATE TRIGGER properties_deleted AFTER DELETE ON properties
BEGIN UPDATE accounts SET changes = changes + 1, changed_at = max(changed_at, unixepoch()), deleted = changes + 1,
      segments = iif(OLD.listed, json_set(segments, OLD.path, json_array(changes + 1, ifnull(segments ->> (OLD.path || '[1]'), 0) - OLD.bytes)), segments),
      developments = json_patch(developments, (SELECT json_group_object(u.development_id, accounts.changes + 1) FROM units u WHERE u.id = OLD.unit_id))
   WHERE id = OLD.account_id
; INSERT INTO removals SELECT a.id, OLD.identifier, a.changes, OLD.shown_to FROM accounts a WHERE a.id = OLD.account_id AND OLD.shown_to <> '[]'
      ON CONFLICT (account_id, identifier) DO UPDATE SET change = excluded.change,
      shown_to = (SELECT json_group_array(value) FROM (SELECT value FROM json_each(removals.shown_to) UNION SELECT value FROM json_each(excluded.shown_to)))
; END;
