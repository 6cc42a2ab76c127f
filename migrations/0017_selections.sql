-- The rules by which a reader selects its properties, and which properties they have selected.

-- The policy of a reader can end with such rules, which are JSON and can be long: kind=partner_agency&selection={...}.
ALTER TABLE readers RENAME COLUMN policy TO short_policy;
ALTER TABLE readers ADD COLUMN policy TEXT NOT NULL DEFAULT '' CHECK (length(policy) <= 60000);
UPDATE readers SET policy = short_policy;
ALTER TABLE readers DROP COLUMN short_policy;
ALTER TABLE readers ADD COLUMN selection TEXT GENERATED ALWAYS AS (
  iif(instr(policy, 'selection='), substr(policy, instr(policy, 'selection=') + 10), NULL)
) VIRTUAL;

CREATE INDEX readers_with_selection ON readers (account_id) WHERE selection IS NOT NULL;

-- What these rules look at and lists do not. SQLite reads the documents for these columns, so only rules that need them name them.
ALTER TABLE properties ADD COLUMN monthly_rent REAL GENERATED ALWAYS AS (document ->> '$.offers.long_term.rent') VIRTUAL;
ALTER TABLE properties ADD COLUMN weekly_rent REAL GENERATED ALWAYS AS (document ->> '$.offers.short_term.low') VIRTUAL;
ALTER TABLE properties ADD COLUMN features TEXT NOT NULL GENERATED ALWAYS AS (ifnull(document -> '$.features', '[]')) VIRTUAL;
-- Pictures without the floor plans.
ALTER TABLE properties ADD COLUMN photographs INTEGER NOT NULL GENERATED ALWAYS AS (
  json_array_length(pictures) - (length(pictures) - length(replace(pictures, '"kind":"floor_plan"', ''))) / 19
) VIRTUAL;

-- Properties that the rules of a reader selected until they were changed or deleted, with their restrictions then: of no others it
-- learns that they are gone. shown_to says this of channels.
CREATE TABLE selected (
  reader_id INTEGER NOT NULL REFERENCES readers (id) ON DELETE CASCADE,
  identifier TEXT NOT NULL,
  -- Another property can get the identifier of one that was deleted.
  property_id INTEGER NOT NULL,
  restrictions TEXT NOT NULL,
  PRIMARY KEY (reader_id, identifier, property_id, restrictions)
) STRICT, WITHOUT ROWID;

-- Which properties the rules of which readers select now. The rules have their text from src/readers/selection-sql.ts.
CREATE VIEW selected_now AS
SELECT r.id AS reader_id, p.id AS property_id, p.identifier, p.restrictions, p.unit_id
  FROM properties p JOIN readers r ON r.account_id = p.account_id LEFT JOIN units u ON u.id = p.unit_id
 WHERE r.selection IS NOT NULL AND p.listed
   AND (r.channel_id IS NULL
        OR instr(p.channels, json_quote((SELECT c.name FROM channels c WHERE c.account_id = r.account_id AND c.id = r.channel_id))))
   AND (p.for_sale AND ifnull(instr(r.selection -> '$.offers', '"sale"'), 1)
      OR p.for_long_term AND ifnull(instr(r.selection -> '$.offers', '"long_term"'), 1)
      OR p.for_short_term AND ifnull(instr(r.selection -> '$.offers', '"short_term"'), 1))
      AND NOT p.identifier IN (SELECT value FROM json_each(r.selection, '$.exclude'))
      AND (p.identifier IN (SELECT value FROM json_each(r.selection, '$.include'))
      OR ((r.selection -> '$.types' IS NULL OR p.type IN (SELECT value FROM json_each(r.selection, '$.types')))
      AND (r.selection -> '$.price' IS NULL
      OR (p.for_sale AND ifnull(instr(r.selection -> '$.offers', '"sale"'), 1) AND iif(p.unit_id IS NULL, p.sale_price, u.price) BETWEEN ifnull(r.selection ->> '$.price.min', 0) AND ifnull(r.selection ->> '$.price.max', 9e99))
      OR (p.for_long_term AND ifnull(instr(r.selection -> '$.offers', '"long_term"'), 1) AND p.monthly_rent BETWEEN ifnull(r.selection ->> '$.price.min', 0) AND ifnull(r.selection ->> '$.price.max', 9e99))
      OR (p.for_short_term AND ifnull(instr(r.selection -> '$.offers', '"short_term"'), 1) AND p.weekly_rent BETWEEN ifnull(r.selection ->> '$.price.min', 0) AND ifnull(r.selection ->> '$.price.max', 9e99)))
      AND (r.selection -> '$.towns' IS NULL OR p.town IN (SELECT value FROM json_each(r.selection, '$.towns')))
      AND NOT EXISTS (SELECT 1 FROM json_each(r.selection, '$.features') f WHERE NOT instr(p.features, json_quote(f.value)))
      AND (r.selection -> '$.photographs' IS NULL OR p.photographs >= r.selection ->> '$.photographs')));

CREATE TRIGGER selected_updated BEFORE UPDATE OF document, pictures, unit_id ON properties WHEN OLD.listed AND EXISTS (SELECT 1 FROM readers r WHERE r.account_id = OLD.account_id AND r.selection IS NOT NULL)
BEGIN
  INSERT INTO selected (reader_id, identifier, property_id, restrictions)
  SELECT v.reader_id, v.identifier, v.property_id, v.restrictions FROM selected_now v WHERE v.property_id = OLD.id
      ON CONFLICT DO NOTHING
; END;

CREATE TRIGGER selected_deleted BEFORE DELETE ON properties WHEN OLD.listed AND EXISTS (SELECT 1 FROM readers r WHERE r.account_id = OLD.account_id AND r.selection IS NOT NULL)
BEGIN
  INSERT INTO selected (reader_id, identifier, property_id, restrictions)
  SELECT v.reader_id, v.identifier, v.property_id, v.restrictions FROM selected_now v WHERE v.property_id = OLD.id
      ON CONFLICT DO NOTHING
; END;

CREATE TRIGGER selected_unit_updated BEFORE UPDATE OF status, price ON units WHEN EXISTS (SELECT 1 FROM readers r WHERE r.account_id = OLD.account_id AND r.selection IS NOT NULL)
BEGIN
  INSERT INTO selected (reader_id, identifier, property_id, restrictions)
  SELECT v.reader_id, v.identifier, v.property_id, v.restrictions FROM selected_now v WHERE v.unit_id = OLD.id
      ON CONFLICT DO NOTHING
; END;
