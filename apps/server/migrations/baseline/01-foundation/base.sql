-- Roles belong to the whole cluster: another database of it may make them at the same moment.
do $$
declare
  role_name text;
  is_member boolean;
begin
  foreach role_name in array array['saddle_app', 'saddle_system'] loop
    if not exists (select from pg_roles where rolname = role_name) then
      begin
        execute format('create role %I nologin nosuperuser nocreatedb nocreaterole noreplication nobypassrls', role_name);
      exception
        when duplicate_object or unique_violation then null;
      end;
    end if;
    -- Since version 16 whoever creates a role may administer it but not become it without a grant.
    if current_setting('server_version_num')::int >= 160000 then
      is_member := pg_has_role(current_user, role_name, 'SET');
    else
      is_member := pg_has_role(current_user, role_name, 'MEMBER');
    end if;
    if not is_member then
      execute format('grant %I to current_user', role_name);
    end if;
  end loop;
end
$$;

revoke create on schema public from public;
grant usage on schema public to saddle_app, saddle_system;

alter default privileges in schema public grant select, insert, update, delete on tables to saddle_app, saddle_system;
alter default privileges in schema public grant usage, select on sequences to saddle_app, saddle_system;
alter default privileges in schema public grant execute on functions to saddle_app, saddle_system;

-- The scope of the session, set for one transaction. Once set, a setting stays behind as '' and not as null.
create function app_agent_ids() returns bigint[] language sql stable parallel safe
return coalesce(nullif(current_setting('app.agent_ids', true), '')::bigint[], '{}'::bigint[]);

create function app_area_ids() returns bigint[] language sql stable parallel safe
return coalesce(nullif(current_setting('app.area_ids', true), '')::bigint[], '{}'::bigint[]);

create function app_operator_id() returns bigint language sql stable parallel safe
return nullif(current_setting('app.operator_id', true), '')::bigint;

-- Puts a table with agent_id (and area_id) behind row level security. The sub-selects make PostgreSQL read the scope
-- once per statement and not once per row.
create function enable_tenant_rls(target regclass, has_area boolean) returns void language plpgsql
as $$
declare
  visible text := 'agent_id = any ((select app_agent_ids())::bigint[])';
begin
  if has_area then
    visible := visible || ' and (area_id is null or area_id = any ((select app_area_ids())::bigint[]))';
  end if;
  execute format('alter table %s enable row level security', target);
  execute format('alter table %s force row level security', target);
  execute format('create policy tenant on %s for all to saddle_app using (%s) with check (%s)', target, visible, visible);
  execute format('create policy system on %s for all to saddle_system using (true) with check (true)', target);
end
$$;
revoke execute on function enable_tenant_rls(regclass, boolean) from public, saddle_app, saddle_system;

-- Events are appended and never changed, not even by the owner of the table.
create function refuse_change() returns trigger language plpgsql
as $$
begin
  raise exception '% is append-only', tg_table_name using errcode = 'insufficient_privilege';
end
$$;
