select 'every fence belongs to a line' as what, not exists (select from fence where line_id = 0) as ok
union all
select 'a line has one version in force', not exists (
  select from fence where valid_to is null group by line_id having count(*) > 1
)
union all
select 'requests can say that a fence changed', has_column_privilege('saddle_app', 'fence_change', 'changed_area_id', 'insert')
  and not has_column_privilege('saddle_app', 'fence_change', 'xid', 'insert')
  and not has_table_privilege('saddle_app', 'fence_change', 'select');
