create table gbfs_setting (
  agent_id bigint primary key references agent (id),
  is_public boolean not null,
  contact_email text not null check (char_length(contact_email) between 3 and 120),
  -- By model: formFactor, propulsion, maxRangeM.
  forms jsonb not null default '{}' check (jsonb_typeof(forms) = 'object' and length(forms::text) <= 20000),
  -- The secret that public ids of vehicles are made with.
  id_key_sealed text not null,
  version integer not null default 1 check (version > 0),
  changed_at timestamptz not null,
  changed_by text not null check (char_length(changed_by) between 1 and 40)
);
comment on table gbfs_setting is 'Whether a company publishes its vehicles as GBFS, whom readers of the feeds may ask, and what its models are.';
select enable_tenant_rls('gbfs_setting', false);

create table gbfs_feed (
  area_id bigint not null,
  agent_id bigint not null,
  name text not null check (name in ('gbfs', 'system_information', 'vehicle_types', 'vehicle_status', 'station_information',
    'station_status', 'geofencing_zones', 'system_pricing_plans', 'system_regions', 'system_alerts')),
  -- The last one that fitted the standard, compressed with gzip.
  body bytea,
  bytes integer not null default 0 check (bytes >= 0),
  etag text check (etag ~ '^[0-9a-f]{32}$'),
  published_at timestamptz,
  tried_at timestamptz not null,
  findings text[] not null default '{}' check (cardinality(findings) <= 20),
  primary key (area_id, name),
  foreign key (area_id, agent_id) references service_area (id, agent_id) on delete cascade,
  check ((body is null) = (published_at is null) and (body is null) = (etag is null))
);
comment on table gbfs_feed is 'Each GBFS feed of a service area as it was last published, and what was wrong with the last try.';
select enable_tenant_rls('gbfs_feed', true);

create table gbfs_reader (
  area_id bigint not null,
  agent_id bigint not null,
  day date not null,
  reader text not null check (char_length(reader) between 1 and 60),
  reads bigint not null check (reads > 0),
  last_at timestamptz not null,
  primary key (area_id, day, reader),
  foreign key (area_id, agent_id) references service_area (id, agent_id) on delete cascade
);
comment on table gbfs_reader is 'How often which program has read the feeds of a service area, by day. Programs are known by the name that they give themselves.';
create index gbfs_reader_day on gbfs_reader (day);
create index gbfs_reader_agent on gbfs_reader (agent_id, area_id);
select enable_tenant_rls('gbfs_reader', true);
