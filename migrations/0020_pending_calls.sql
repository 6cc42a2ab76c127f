-- A call of a webhook that is repeated says the same under the same id, whatever has changed since its first attempt.

-- The call with the news up to pending_number: its id, its body, and how many events that contains.
ALTER TABLE webhooks ADD COLUMN pending_call TEXT CHECK (json_type(pending_call) = 'object');
