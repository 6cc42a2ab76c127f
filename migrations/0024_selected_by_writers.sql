-- Writers note what readers have selected, with the text of the rules in src/properties/selection.

DROP TRIGGER selected_updated;
DROP TRIGGER selected_deleted;
DROP TRIGGER selected_unit_updated;
DROP VIEW selected_now;
