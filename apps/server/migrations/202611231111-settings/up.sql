create table setting_change (
  id bigint generated always as identity (start with 1001) primary key,
  agent_id bigint not null references agent (id),
  -- Null: of the company.
  area_id bigint,
  code text not null check (code ~ '^[a-z_]{3,40}$'),
  -- Null: what is chosen above counts again.
  value jsonb check (jsonb_typeof(value) in ('number', 'array')),
  made_at timestamptz not null,
  made_by_id bigint,
  made_by text not null check (char_length(made_by) between 1 and 40),
  foreign key (area_id, agent_id) references service_area (id, agent_id)
);
comment on table setting_change is 'Choice of a company or area for a setting of the registry; the latest one of a place counts.';
create index setting_change_by_place on setting_change (agent_id, code, area_id, id desc);
create index setting_change_by_area on setting_change (area_id) where area_id is not null;
select enable_tenant_rls('setting_change', true);
revoke update, delete, truncate on setting_change from saddle_app, saddle_system;
