-- What a reader may see, as a query: withhold=commission.email&place=moved. Empty for everything.
ALTER TABLE readers ADD COLUMN policy TEXT NOT NULL DEFAULT '' CHECK (length(policy) <= 200);

-- That of new readers.
ALTER TABLE accounts ADD COLUMN policy TEXT NOT NULL DEFAULT '' CHECK (length(policy) <= 200);

-- From it and a true place derives the moved place that readers with such a policy see.
ALTER TABLE accounts ADD COLUMN place_secret TEXT NOT NULL DEFAULT '';

UPDATE accounts SET place_secret = hex(randomblob(32));

CREATE TRIGGER accounts_inserted_place_secret AFTER INSERT ON accounts WHEN NEW.place_secret = ''
BEGIN
  UPDATE accounts SET place_secret = hex(randomblob(32)) WHERE id = NEW.id
; END;
