select 'role ' || rolname as what, not (rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolcanlogin) as ok
from pg_roles where rolname in ('saddle_app', 'saddle_system');

select 'both roles exist' as what, count(*) = 2 as ok from pg_roles where rolname in ('saddle_app', 'saddle_system');

select 'the scope is empty when it is unset' as what,
  app_agent_ids() = '{}' and app_area_ids() = '{}' and app_operator_id() is null as ok;

-- All checks run after all files: this one sees the tables of every domain.
select 'row level security on ' || c.relname as what, c.relrowsecurity and c.relforcerowsecurity as ok
from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'agent_id' and not a.attisdropped
where c.relkind in ('r', 'p') and c.relnamespace = 'public'::regnamespace;

select 'requests cannot reach ' || relname as what,
  not has_table_privilege('saddle_app', oid, 'select, insert, update, delete') as ok
from pg_class where oid in ('migration'::regclass, 'retired_key'::regclass, 'secret_check'::regclass);
