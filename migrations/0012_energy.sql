-- Whether a property without an energy letter has applied for its certificate, or needs none.
ALTER TABLE properties ADD COLUMN energy_status TEXT CHECK (energy_status IN ('in_process', 'exempt'));

-- As in 0004_revisions.sql, with the new column and the address, which reports and feeds show.
DROP TRIGGER properties_updated;

CREATE TRIGGER properties_updated AFTER UPDATE OF
  identifier, reference, type_id, unit_id, status, rented, on_own_website, on_other_websites, listed_at, currency,
  for_sale, sale_price, minimum_price, for_long_term, monthly_rent, for_short_term, low_season_rent, high_season_rent,
  rental_license, town, area, province, country, postcode, latitude, longitude, beds, bath, built_area, plot_area,
  terrace_area, living_area, built_year, community_fees, garbage_tax, ibi_fees, cadastral_ref, has_pool, has_garden,
  has_garage, emissions, consumption, virtual_tour_url, video_url, features, pictures, new_build, leasehold,
  part_ownership, notes, energy_status, address
ON properties
WHEN NEW.listed AND (
  NEW.for_sale AND OLD.sale_updated_at = NEW.sale_updated_at OR NEW.for_rent AND OLD.rental_updated_at = NEW.rental_updated_at
)
BEGIN
  INSERT INTO mark_property_changed
  SELECT NEW.id,
         (in_all OR in_sale) AND OLD.sale_updated_at = NEW.sale_updated_at,
         (in_all OR in_rental) AND OLD.rental_updated_at = NEW.rental_updated_at
    FROM (
      SELECT (
               OLD.listed, OLD.identifier, OLD.reference, OLD.type_id, OLD.unit_id,
               iif(OLD.unit_id IS NULL, OLD.status, NULL), OLD.rented, OLD.on_own_website, OLD.on_other_websites,
               OLD.listed_at, OLD.currency, OLD.town, OLD.area, OLD.province, OLD.country, OLD.postcode,
               OLD.latitude, OLD.longitude, OLD.beds, OLD.bath, OLD.built_area, OLD.plot_area, OLD.terrace_area,
               OLD.living_area, OLD.built_year, OLD.community_fees, OLD.garbage_tax, OLD.ibi_fees, OLD.cadastral_ref,
               OLD.has_pool, OLD.has_garden, OLD.has_garage, OLD.emissions, OLD.consumption,
               OLD.virtual_tour_url, OLD.video_url, OLD.features, OLD.pictures, OLD.new_build, OLD.leasehold,
               OLD.part_ownership, OLD.notes, OLD.energy_status, OLD.address
             ) IS NOT (
               NEW.listed, NEW.identifier, NEW.reference, NEW.type_id, NEW.unit_id,
               iif(NEW.unit_id IS NULL, NEW.status, NULL), NEW.rented, NEW.on_own_website, NEW.on_other_websites,
               NEW.listed_at, NEW.currency, NEW.town, NEW.area, NEW.province, NEW.country, NEW.postcode,
               NEW.latitude, NEW.longitude, NEW.beds, NEW.bath, NEW.built_area, NEW.plot_area, NEW.terrace_area,
               NEW.living_area, NEW.built_year, NEW.community_fees, NEW.garbage_tax, NEW.ibi_fees, NEW.cadastral_ref,
               NEW.has_pool, NEW.has_garden, NEW.has_garage, NEW.emissions, NEW.consumption,
               NEW.virtual_tour_url, NEW.video_url, NEW.features, NEW.pictures, NEW.new_build, NEW.leasehold,
               NEW.part_ownership, NEW.notes, NEW.energy_status, NEW.address
             ) AS in_all,
             (OLD.for_sale, OLD.sale_price, OLD.minimum_price)
               IS NOT (NEW.for_sale, NEW.sale_price, NEW.minimum_price) AS in_sale,
             (OLD.for_long_term, OLD.monthly_rent, OLD.for_short_term, OLD.low_season_rent, OLD.high_season_rent, OLD.rental_license)
               IS NOT (NEW.for_long_term, NEW.monthly_rent, NEW.for_short_term, NEW.low_season_rent, NEW.high_season_rent, NEW.rental_license)
               AS in_rental
    )
   WHERE in_all OR in_sale OR in_rental
; END;
