select 'saddle_app may not touch the riders of the demo''s trips' as what,
  not has_table_privilege('saddle_app', 'demo_trip_rider', 'select') as ok
union all
select 'saddle_system may', has_table_privilege('saddle_system', 'demo_trip_rider', 'insert')
  and has_table_privilege('saddle_system', 'demo_trip_rider', 'delete');
