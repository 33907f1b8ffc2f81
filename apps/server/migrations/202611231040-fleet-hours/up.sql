-- How the vehicles of an area stood at the beginning of an hour, by the state changes until then.
create table fleet_hour (
  agent_id bigint not null,
  area_id bigint not null,
  hour timestamptz not null,
  vehicles integer not null check (vehicles >= 0),
  available integer not null check (available >= 0),
  on_trip integer not null check (on_trip >= 0),
  non_operational integer not null check (non_operational >= 0),
  non_contactable integer not null check (non_contactable >= 0),
  made_at timestamptz not null,
  primary key (area_id, hour),
  check (available + on_trip + non_operational + non_contactable <= vehicles)
);
comment on table fleet_hour is 'Vehicles of a service area by state at the beginning of each hour; those taken away are in none.';
create index fleet_hour_hour on fleet_hour (hour, made_at);
select enable_tenant_rls('fleet_hour', true);
revoke insert, update, delete, truncate on fleet_hour from saddle_app;
