select 'requests can only say that a fence changed' as what,
  has_column_privilege('saddle_app', 'fence_change', 'changed_area_id', 'insert')
    and not has_column_privilege('saddle_app', 'fence_change', 'xid', 'insert')
    and not has_table_privilege('saddle_app', 'fence_change', 'select') as ok;

select 'every change of a fence or an area is noted' as what, count(*) = 6 as ok
from pg_trigger where tgfoid in ('note_fence_change'::regproc, 'note_area_change'::regproc) and tgenabled = 'O';
