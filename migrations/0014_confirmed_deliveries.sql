-- A delivery is sent when the runtime took the whole body: buffers between the Worker and the reader take small bodies whole.
-- It is confirmed once the reader came back with a validator that only this response can have given it.
-- In the history, the time of the confirmation is the fifth entry of each delivery.
ALTER TABLE deliveries ADD COLUMN confirmed_at INTEGER;
