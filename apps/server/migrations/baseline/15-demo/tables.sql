create table demo_history (
  ended_at timestamptz primary key,
  -- For each table the first id that was kept free for it: what is read in later is older and has the lower ids.
  first_ids jsonb not null,
  begun_at timestamptz not null
);
comment on table demo_history is 'How far the generated past of the demo was imported.';
revoke all on demo_history from saddle_app;

create table demo_history_day (
  day date primary key,
  imported_at timestamptz not null
);
comment on table demo_history_day is 'Days of the generated past that were imported.';
revoke all on demo_history_day from saddle_app;

create table demo_trip_rider (
  trip_id bigint primary key,
  rider integer not null check (rider >= 0)
);
comment on table demo_trip_rider is 'Rider of an imported trip until its order exists.';
revoke all on demo_trip_rider from saddle_app;
