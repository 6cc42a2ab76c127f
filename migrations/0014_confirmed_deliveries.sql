-- A delivery is sent when the runtime took the whole body: buffers between the Worker and the reader take small bodies whole.
-- It is confirmed once the reader came back with a validator that only this response can have given it.
-- In the history, the time of the confirmation is the fifth entry of each delivery.
ALTER TABLE deliveries ADD COLUMN confirmed_at INTEGER;

-- A channel has revisions of its own, and its feeds depend on no others: they advance with every change of its listed
-- properties, and not with those of other properties, whose changes its readers must not notice.

DROP TRIGGER advance_revisions_called;

-- A time of change advances with every change, except within one second, even if the clock has been set back.
CREATE TRIGGER advance_revisions_called INSTEAD OF INSERT ON advance_revisions
BEGIN
  UPDATE accounts
     SET segments = json_set(
           segments,
           '$.' || ((NEW.sequence_number - 1) / 500),
           json_array(
             coalesce(segments ->> ('$.' || ((NEW.sequence_number - 1) / 500) || '[0]'), 0) + NEW.sale,
             coalesce(segments ->> ('$.' || ((NEW.sequence_number - 1) / 500) || '[1]'), 0) + NEW.rental
           )
         ),
         sale_revision = sale_revision + NEW.sale,
         rental_revision = rental_revision + NEW.rental,
         sale_changed_at = iif(NEW.sale, iif(unixepoch() < sale_changed_at, sale_changed_at + 1, unixepoch()), sale_changed_at),
         rental_changed_at = iif(NEW.rental, iif(unixepoch() < rental_changed_at, rental_changed_at + 1, unixepoch()), rental_changed_at),
         change_number = change_number + 1
   WHERE id = NEW.account_id
; UPDATE channels
     SET revision = revision + 1,
         segments = json_set(
           segments,
           '$.' || ((NEW.sequence_number - 1) / 500),
           coalesce(segments ->> ('$.' || ((NEW.sequence_number - 1) / 500)), 0) + 1
         ),
         changed_at = iif(unixepoch() < changed_at, changed_at + 1, unixepoch())
   WHERE id IN (
     SELECT channel_id FROM property_channels
      WHERE account_id = NEW.account_id AND sequence_number = NEW.sequence_number
   )
; END;

-- After a restore, a time of change is not given out twice.
CREATE TRIGGER channels_restored AFTER UPDATE OF incarnation ON time_line WHEN NEW.incarnation > OLD.incarnation
BEGIN
  UPDATE channels SET changed_at = max(unixepoch(), changed_at + 1)
; END;
