-- Views of the list of properties that people have saved: queries by the names of the views, as JSON.
ALTER TABLE accounts ADD COLUMN views TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(views) AND length(views) <= 50000);
