-- Names of types and features that nothing uses can be deleted: feeds do not show them, readers of the vocabulary do.

CREATE TRIGGER vocabulary_deleted AFTER DELETE ON vocabulary
BEGIN
  UPDATE accounts SET changes = changes + 1, vocabulary = changes + 1 WHERE id = OLD.account_id
; END;
