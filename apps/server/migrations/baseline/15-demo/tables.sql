-- How far the demo's made-up past has been read in. Nobody's tenant data.
create table demo_history (
  ended_at timestamptz primary key,
  -- For each table the first id that was kept free for it: what is read in later is older and has the lower ids.
  first_ids jsonb not null,
  begun_at timestamptz not null
);
revoke all on demo_history from saddle_app;

create table demo_history_day (
  day date primary key,
  imported_at timestamptz not null
);
revoke all on demo_history_day from saddle_app;

-- Who rode a trip of the demo's past, counted within the franchisee; the row goes when the trip has its order.
create table demo_trip_rider (
  trip_id bigint primary key,
  rider integer not null check (rider >= 0)
);
revoke all on demo_trip_rider from saddle_app;
