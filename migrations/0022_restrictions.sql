-- Where a listing may not go, a name a line: no_portals, not_abroad, no_social_media, own_website_only. NULL for anywhere.
-- Which of them keep it from a reader depends on the kind of the reader, which is part of its policy.
ALTER TABLE properties ADD COLUMN restrictions TEXT CHECK (length(restrictions) BETWEEN 1 AND 100);

-- The kinds of readers that a listing can be kept from, and whether it is.
CREATE VIEW kinds_kept (property_id, kind, kept) AS
SELECT p.id, k.kind, ifnull(
         instr(p.restrictions, 'own_website_only') OR instr(p.restrictions, k.first) OR instr(p.restrictions, k.second), 0
       )
  FROM properties p
  JOIN (
    SELECT 'national_portal' AS kind, 'no_portals' AS first, 'no_portals' AS second
     UNION ALL SELECT 'international_portal', 'no_portals', 'not_abroad'
     UNION ALL SELECT 'partner_agency', 'own_website_only', 'own_website_only'
     UNION ALL SELECT 'social_media', 'no_social_media', 'no_social_media'
  ) k;

DROP VIEW states_seen;

-- As in 0009_changes.sql. A property that has ever been restricted also has, for each channel and kind of readers, the states
-- that these have seen, under channel/kind: whoever has never been allowed to see it does not learn its identifier.
CREATE VIEW states_seen (property_id, seen) AS
SELECT p.id,
       json_patch(
         p.seen,
         (
           SELECT json_group_object(audience.id, ifnull(p.seen ->> ('$."' || audience.id || '"'), 0) | iif(audience.kept, 0, s.bit))
             FROM listed_states s
             JOIN (
               SELECT '0' AS id, 0 AS kept
                UNION ALL
               SELECT CAST(c.channel_id AS TEXT), 0 FROM property_channels c
                WHERE c.account_id = p.account_id AND c.sequence_number = p.sequence_number
                UNION ALL
               SELECT '0/' || k.kind, k.kept FROM kinds_kept k
                WHERE k.property_id = p.id AND (p.restrictions IS NOT NULL OR instr(p.seen, '/'))
                UNION ALL
               SELECT c.channel_id || '/' || k.kind, k.kept
                 FROM property_channels c JOIN kinds_kept k ON k.property_id = p.id
                WHERE c.account_id = p.account_id AND c.sequence_number = p.sequence_number
                  AND (p.restrictions IS NOT NULL OR instr(p.seen, '/'))
             ) audience
            WHERE s.property_id = p.id
         )
       )
  FROM properties p;

-- Until its first restriction, readers of every kind have seen what readers without one have.
CREATE TRIGGER properties_restricted AFTER UPDATE OF restrictions ON properties
WHEN OLD.restrictions IS NOT NEW.restrictions
BEGIN
  UPDATE properties
     SET seen = json_patch(seen, (
           SELECT json_group_object(
                    before.key || '/' || k.kind,
                    ifnull(properties.seen ->> ('$."' || before.key || '/' || k.kind || '"'), 0) | before.value
                  )
             FROM json_each(OLD.seen) before JOIN kinds_kept k ON k.property_id = NEW.id
         ))
   WHERE id = NEW.id AND NOT instr(OLD.seen, '/')
; INSERT INTO mark_property_changed VALUES (NEW.id, 1, 1)
; END;
