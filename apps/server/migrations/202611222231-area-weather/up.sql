create table area_weather (
  agent_id bigint not null,
  area_id bigint not null,
  hour timestamptz not null check (hour = date_trunc('hour', hour)),
  weather text not null check (weather in ('fair', 'rain', 'snow', 'heat')),
  primary key (area_id, hour),
  foreign key (area_id, agent_id) references service_area (id, agent_id)
);
comment on table area_weather is 'Weather of a service area in an hour. Without a row it is not known, and no condition on weather holds.';
select enable_tenant_rls('area_weather', true);
