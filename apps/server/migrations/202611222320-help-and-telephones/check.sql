select 'no role deletes ' || t.name as what,
  not has_table_privilege('saddle_app', t.name, 'delete') and not has_table_privilege('saddle_system', t.name, 'delete') as ok
from unnest(array['help_article', 'help_version', 'help_reader', 'help_count', 'telephone_line']) t (name);

select 'a version stays as it was written' as what,
  not has_table_privilege('saddle_app', 'help_version', 'update')
    and not has_table_privilege('saddle_system', 'help_version', 'update') as ok;

select 'a rider is one reader of an article' as what, count(*) = 1 as ok
from pg_constraint where conrelid = 'help_reader'::regclass and contype = 'u';
