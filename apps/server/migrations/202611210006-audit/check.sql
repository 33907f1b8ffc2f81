select 'row level security' as what, relrowsecurity and relforcerowsecurity as ok
from pg_class where oid = 'audit_line'::regclass;

select 'no change by ' || rolname as what,
  not has_table_privilege(rolname, 'audit_line', 'update, delete, truncate')
  and not has_any_column_privilege(rolname, 'audit_line', 'update')
  and not has_column_privilege(rolname, 'audit_line', 'hash', 'insert')
  and has_column_privilege(rolname, 'audit_line', 'action', 'insert') as ok
from pg_roles where rolname in ('saddle_app', 'saddle_system');

select 'the owner is refused too' as what, count(*) = 2 as ok
from pg_trigger where tgrelid = 'audit_line'::regclass and tgname in ('refuse_change', 'refuse_truncate') and tgenabled = 'O';
