select 'row level security on ' || relname as what, relrowsecurity and relforcerowsecurity as ok
from pg_class where oid in ('trip'::regclass, 'track_segment'::regclass, 'fleet_day'::regclass);

select 'the past is written by the platform alone' as what,
  has_table_privilege('saddle_system', 'track_segment', 'insert')
  and not has_table_privilege('saddle_app', 'track_segment', 'insert, update, delete, truncate')
  and not has_table_privilege('saddle_app', 'fleet_day', 'insert, update, delete, truncate') as ok;

select 'partitions are nobody else''s to enter' as what,
  not has_schema_privilege('saddle_app', 'track_segment_day', 'usage') as ok;
