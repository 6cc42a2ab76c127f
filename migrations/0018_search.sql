-- What lists of properties search and filter by that the columns before the documents lack. Whoever writes a property writes this.

CREATE TABLE property_search (
  property_id INTEGER PRIMARY KEY REFERENCES properties (id) ON DELETE CASCADE,
  beds INTEGER NOT NULL,
  -- The codes of its features: a JSON array.
  features TEXT NOT NULL,
  -- Its identifier, reference, place, street, notes and titles in lower case, without accents.
  text TEXT NOT NULL
) STRICT;

INSERT INTO property_search (property_id, beds, features, text)
SELECT id, ifnull(document ->> '$.beds', 0), ifnull(document -> '$.features', '[]'),
    replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
    replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
    replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
    replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
    replace(replace(replace(replace(replace(replace(lower(
      concat_ws(char(10), identifier, reference, town, area, document ->> '$.address', document ->> '$.notes',
        (SELECT group_concat(value ->> '$.title', char(10)) FROM json_each(texts)))
    )
    , 'á', 'a'), 'à', 'a'), 'â', 'a'), 'ä', 'a'), 'ã', 'a'), 'å', 'a')
    , 'Á', 'a'), 'À', 'a'), 'Â', 'a'), 'Ä', 'a'), 'Ã', 'a'), 'Å', 'a')
    , 'ª', 'a'), 'ç', 'c'), 'Ç', 'c'), 'é', 'e'), 'è', 'e'), 'ê', 'e')
    , 'ë', 'e'), 'É', 'e'), 'È', 'e'), 'Ê', 'e'), 'Ë', 'e'), 'í', 'i')
    , 'ì', 'i'), 'î', 'i'), 'ï', 'i'), 'Í', 'i'), 'Ì', 'i'), 'Î', 'i')
    , 'Ï', 'i'), 'ñ', 'n'), 'Ñ', 'n'), 'ó', 'o'), 'ò', 'o'), 'ô', 'o')
    , 'ö', 'o'), 'õ', 'o'), 'Ó', 'o'), 'Ò', 'o'), 'Ô', 'o'), 'Ö', 'o')
    , 'Õ', 'o'), 'º', 'o'), 'ú', 'u'), 'ù', 'u'), 'û', 'u'), 'ü', 'u')
    , 'Ú', 'u'), 'Ù', 'u'), 'Û', 'u'), 'Ü', 'u'), 'ý', 'y'), 'Ý', 'y')
  FROM properties;
