-- Properties that an import has withdrawn because its file no longer had them. An import of the same source that has them again, without
-- a status, gives them back the status that they had, unless they have changed since.
CREATE TABLE absences (
  property_id INTEGER PRIMARY KEY REFERENCES properties (id) ON DELETE CASCADE,
  account_id INTEGER NOT NULL,
  -- The number of the change that withdrew it.
  change INTEGER NOT NULL,
  -- The name of the source. Empty for a file that was sent.
  source TEXT NOT NULL,
  -- The status before.
  status TEXT NOT NULL
) STRICT;

CREATE INDEX absences_of_account ON absences (account_id);
