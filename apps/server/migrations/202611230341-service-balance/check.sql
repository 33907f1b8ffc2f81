select 'what was spent is never changed: ' || r.name as what,
  not has_table_privilege(r.name, 'spend_note', 'update, delete, truncate') as ok
from unnest(array['saddle_app', 'saddle_system']) r (name);

select 'requests only read the details of assets' as what,
  not has_table_privilege('saddle_app', 'asset_detail', 'insert, update, delete, truncate') as ok;
