-- Riders who looked for a vehicle, by place and hour: how often, and how often there was none. Counters, nobody's trace.
create table demand_search (
  agent_id bigint not null,
  area_id bigint not null,
  -- Degrees times 2,000: squares of about fifty metres.
  lat_step integer not null,
  lng_step integer not null,
  hour_at timestamptz not null check (hour_at = date_trunc('hour', hour_at, 'UTC')),
  searches integer not null default 0 check (searches >= unmet),
  unmet integer not null default 0 check (unmet >= 0),
  primary key (area_id, hour_at, lat_step, lng_step),
  foreign key (area_id, agent_id) references service_area (id, agent_id) on delete cascade
);
select enable_tenant_rls('demand_search', true);

-- What was decided to be carried, with what was expected of it.
create table rebalance_plan (
  id bigint generated always as identity primary key,
  agent_id bigint not null,
  area_id bigint not null,
  made_at timestamptz not null,
  hours smallint not null check (hours between 1 and 12),
  minutes real not null check (minutes >= 0),
  distance_m real not null check (distance_m >= 0),
  expected_gain real not null,
  author_id bigint not null,
  author_name text not null check (char_length(author_name) between 1 and 40),
  unique (id, agent_id, area_id),
  foreign key (area_id, agent_id) references service_area (id, agent_id) on delete cascade
);
create index rebalance_plan_area on rebalance_plan (area_id, id desc);
select enable_tenant_rls('rebalance_plan', true);
revoke update, truncate on rebalance_plan from saddle_app, saddle_system;

-- Its vehicles: those with a task were to be carried; the others stood beside them and were left, to compare with.
create table rebalance_vehicle (
  plan_id bigint not null,
  agent_id bigint not null,
  area_id bigint not null,
  vehicle_id bigint not null,
  task_id bigint,
  primary key (plan_id, vehicle_id),
  foreign key (plan_id, agent_id, area_id) references rebalance_plan (id, agent_id, area_id) on delete cascade
);
select enable_tenant_rls('rebalance_vehicle', true);
revoke update, truncate on rebalance_vehicle from saddle_app, saddle_system;
