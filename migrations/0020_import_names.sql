-- What names of types and features in files of an account mean: the codes of built-in ones by kind and name, as JSON.
ALTER TABLE accounts ADD COLUMN import_names TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(import_names) AND length(import_names) <= 200000);
