-- Properties: each is one row with its document.

CREATE TABLE properties (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  -- Its place among the properties of the account in feeds, from 1, for good. 500 numbers are a segment.
  number INTEGER NOT NULL CHECK (number >= 1),
  -- Where the column segments of its account has its segment.
  path TEXT NOT NULL GENERATED ALWAYS AS ('$.' || ((number - 1) / 500)) VIRTUAL,
  identifier TEXT NOT NULL CHECK (length(identifier) BETWEEN 1 AND 100),
  -- The unit that it is, if it is one of a development: feeds then show the status and the price of the unit.
  unit_id INTEGER,
  -- The number of the last change among those of the account, and when it was made.
  change INTEGER NOT NULL DEFAULT 0,
  changed_at INTEGER NOT NULL DEFAULT 0,
  -- The channels in which it has ever been listed, and * if it has been listed at all, each followed by the restrictions that it
  -- had then, as in coast[no_portals]: a JSON array. Nobody else learns that it is gone.
  shown_to TEXT NOT NULL DEFAULT '[]',

  -- What lists filter and sort by. These precede the documents, whose pages SQLite then does not read for them.
  reference TEXT NOT NULL GENERATED ALWAYS AS (document ->> '$.ref') STORED,
  type TEXT NOT NULL GENERATED ALWAYS AS (document ->> '$.type') STORED,
  status TEXT NOT NULL GENERATED ALWAYS AS (document ->> '$.status') STORED,
  -- Whether feeds show it, unless its unit is sold.
  listed INTEGER NOT NULL GENERATED ALWAYS AS (
    status <> 'Withdrawn' AND (status <> 'Sold' OR unit_id IS NOT NULL) AND (for_sale OR for_long_term OR for_short_term)
  ) STORED,
  rented INTEGER NOT NULL GENERATED ALWAYS AS (document ->> '$.rented') STORED,
  on_websites INTEGER NOT NULL GENERATED ALWAYS AS (
    (document ->> '$.on_own_website') AND (document ->> '$.on_other_websites')
  ) STORED,
  for_sale INTEGER NOT NULL GENERATED ALWAYS AS (document ->> '$.offers.sale' IS NOT NULL) STORED,
  for_long_term INTEGER NOT NULL GENERATED ALWAYS AS (document ->> '$.offers.long_term' IS NOT NULL) STORED,
  for_short_term INTEGER NOT NULL GENERATED ALWAYS AS (document ->> '$.offers.short_term' IS NOT NULL) STORED,
  sale_price REAL GENERATED ALWAYS AS (document ->> '$.offers.sale.price') STORED,
  rent REAL GENERATED ALWAYS AS (
    coalesce(document ->> '$.offers.long_term.rent', document ->> '$.offers.short_term.low')
  ) STORED,
  town TEXT NOT NULL GENERATED ALWAYS AS (document ->> '$.town') STORED,
  area TEXT GENERATED ALWAYS AS (document ->> '$.area') STORED,
  listed_at TEXT NOT NULL GENERATED ALWAYS AS (document ->> '$.listed_at') STORED,
  -- JSON arrays of names.
  channels TEXT NOT NULL GENERATED ALWAYS AS (document -> '$.channels') STORED,
  restrictions TEXT NOT NULL GENERATED ALWAYS AS (document -> '$.restrictions') STORED,
  bytes INTEGER NOT NULL GENERATED ALWAYS AS (
    octet_length(document) + octet_length(pictures) + octet_length(texts)
  ) STORED,

  -- JSON as the API returns it, without its kind, id, time of change, pictures and texts.
  document TEXT NOT NULL CHECK (json_valid(document)),
  -- JSON: addresses in the order of display.
  pictures TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(pictures)),
  -- JSON: {language: {title, description, url}}.
  texts TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(texts)),
  UNIQUE (account_id, number),
  UNIQUE (account_id, identifier),
  FOREIGN KEY (account_id, unit_id) REFERENCES units (account_id, id)
) STRICT;

-- Partial indexes, because writing a row without an entry in them costs less.
CREATE UNIQUE INDEX properties_of_unit ON properties (unit_id) WHERE unit_id IS NOT NULL;

CREATE INDEX properties_by_change ON properties (account_id, change) WHERE change > 0;

-- Identifiers of properties that were deleted, and to whom they were shown.
CREATE TABLE removals (
  account_id INTEGER NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  identifier TEXT NOT NULL,
  change INTEGER NOT NULL,
  shown_to TEXT NOT NULL,
  PRIMARY KEY (account_id, identifier)
) STRICT, WITHOUT ROWID;

CREATE INDEX removals_by_change ON removals (account_id, change);

-- What properties were before each change, and who made it. Pictures and texts are NULL if the change left them as they were.
CREATE TABLE property_history (
  property_id INTEGER NOT NULL REFERENCES properties (id) ON DELETE CASCADE,
  -- The number of the change before, with which this state began.
  change INTEGER NOT NULL,
  account_id INTEGER NOT NULL,
  -- When this state ended.
  changed_at INTEGER NOT NULL DEFAULT (unixepoch()),
  -- See src/portfolio/actor.ts.
  actor TEXT NOT NULL,
  document TEXT NOT NULL,
  pictures TEXT,
  texts TEXT,
  PRIMARY KEY (property_id, change)
) STRICT, WITHOUT ROWID;

-- What a writer has read must still hold when it writes. If it does not, the writer inserts a row here, which fails its
-- transaction. So the table is always empty.
CREATE TABLE guard (
  holds INTEGER NOT NULL CONSTRAINT a_document_has_changed CHECK (holds)
) STRICT;
