create table telephone_version (
  line_id bigint not null references telephone_line (id),
  version integer not null check (version > 0),
  agent_id bigint not null,
  -- As `telephoneContentSchema` of the contract has it.
  content jsonb not null check (jsonb_typeof(content) = 'object' and length(content::text) <= 20000),
  made_at timestamptz not null,
  made_by text not null check (char_length(made_by) between 1 and 40),
  primary key (line_id, version)
);
comment on table telephone_version is 'What a telephone line was at each version; kept by a trigger of telephone_line.';
create index telephone_version_agent on telephone_version (agent_id);
select enable_tenant_rls('telephone_version', false);
revoke update, delete, truncate on telephone_version from saddle_app, saddle_system;

create function telephone_content(line telephone_line) returns jsonb language sql stable as $$
  select jsonb_build_object('label', line.label, 'labelEn', line.label_en, 'number', line.number,
    'areaIds', to_jsonb(line.area_ids), 'spans', line.spans, 'isClosedOnHolidays', line.is_closed_on_holidays,
    'priority', line.priority, 'state', line.state)
$$;

create function keep_telephone_version() returns trigger language plpgsql as $$
begin
  insert into telephone_version (line_id, version, agent_id, content, made_at, made_by)
  values (new.id, new.version, new.agent_id, telephone_content(new), new.changed_at, new.changed_by);
  return null;
end
$$;
create trigger keep_telephone_version_made after insert on telephone_line
for each row execute function keep_telephone_version();
create trigger keep_telephone_version_changed after update of version on telephone_line
for each row when (new.version <> old.version) execute function keep_telephone_version();

set local role saddle_system;
insert into telephone_version (line_id, version, agent_id, content, made_at, made_by)
select l.id, l.version, l.agent_id, telephone_content(l), l.changed_at, l.changed_by from telephone_line l;
reset role;
