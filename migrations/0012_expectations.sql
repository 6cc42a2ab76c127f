-- What a writer expects of documents that it has read before it writes: if another writer has changed one since, the
-- transaction fails, and the writer reads again. Inserting a row into one of these views checks the expectation.

-- NULL for a property that must not exist.
CREATE VIEW expect_property (account_id, identifier, version, change_number) AS SELECT 0, '', 0, 0 WHERE 0;

CREATE TRIGGER expect_property_called INSTEAD OF INSERT ON expect_property
WHEN (NEW.version, NEW.change_number) IS NOT (
  SELECT p.version, p.change_number FROM properties p
   WHERE p.account_id = NEW.account_id AND p.identifier = NEW.identifier
)
BEGIN
  SELECT RAISE(ABORT, 'a document has changed since it was read')
; END;

-- NULL for a unit that must not exist.
CREATE VIEW expect_unit (account_id, development, name, version) AS SELECT 0, '', '', 0 WHERE 0;

CREATE TRIGGER expect_unit_called INSTEAD OF INSERT ON expect_unit
WHEN NEW.version IS NOT (
  SELECT u.version FROM developments d JOIN units u ON u.development_id = d.id
   WHERE d.account_id = NEW.account_id AND d.identifier = NEW.development AND u.name = NEW.name
)
BEGIN
  SELECT RAISE(ABORT, 'a document has changed since it was read')
; END;

CREATE VIEW expect_vocabulary (account_id, revision) AS SELECT 0, 0 WHERE 0;

CREATE TRIGGER expect_vocabulary_called INSTEAD OF INSERT ON expect_vocabulary
WHEN NEW.revision IS NOT (SELECT a.vocabulary_revision FROM accounts a WHERE a.id = NEW.account_id)
BEGIN
  SELECT RAISE(ABORT, 'a document has changed since it was read')
; END;
