create table device_lease (
  vehicle_id bigint primary key references vehicle (id) on delete cascade,
  -- The process that holds the connection; another one after each start.
  gateway_id uuid not null,
  -- Network address of the vehicle, for devices that show no secret.
  address text not null check (char_length(address) <= 64),
  taken_at timestamptz not null
);
comment on table device_lease is 'Which gateway of a cluster speaks for a vehicle: it alone is given the vehicle''s commands. Empty on a single server.';
revoke all on device_lease from saddle_app;
