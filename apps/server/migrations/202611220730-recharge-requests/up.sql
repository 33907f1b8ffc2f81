-- What a riders' application calls a request of its own: sent again, it is the same payment.
alter table payment add column request_id text check (request_id ~ '^[A-Za-z0-9-]{8,64}$');
create unique index payment_request on payment (rider_id, request_id) where request_id is not null;
