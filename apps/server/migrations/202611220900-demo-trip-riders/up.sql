-- Who rode a trip of the demo's past, counted within the franchisee; the row goes when the trip has its order.
create table demo_trip_rider (
  trip_id bigint primary key,
  rider integer not null check (rider >= 0)
);
revoke all on demo_trip_rider from saddle_app;
