select 'role ' || rolname as what, not (rolsuper or rolbypassrls or rolcreaterole or rolcreatedb or rolcanlogin) as ok
from pg_roles where rolname in ('saddle_app', 'saddle_system');

select 'both roles exist' as what, count(*) = 2 as ok from pg_roles where rolname in ('saddle_app', 'saddle_system');

select 'scope is empty when unset' as what,
  app_agent_ids() = '{}' and app_area_ids() = '{}' and app_operator_id() is null as ok;

select 'idempotency is closed' as what, relrowsecurity and relforcerowsecurity as ok
from pg_class where oid = 'idempotency'::regclass;

select 'the app cannot read migrations' as what, not has_table_privilege('saddle_app', 'migration', 'select') as ok;
