select 'no role deletes ' || t.name as what,
  not has_table_privilege('saddle_app', t.name, 'delete') and not has_table_privilege('saddle_system', t.name, 'delete') as ok
from unnest(array['invite_code', 'invite']) t (name);

select 'a rider is brought once' as what, exists (
  select from pg_constraint where conrelid = 'invite'::regclass and contype = 'u'
    and conkey = array[(select attnum from pg_attribute where attrelid = 'invite'::regclass and attname = 'invited_id')]
) as ok;
