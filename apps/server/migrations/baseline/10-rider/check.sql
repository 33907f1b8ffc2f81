select 'every condition of a rider has a cell of its own' as what,
  rider_cell(false, false, false, null, 0::smallint) = 0 and rider_cell(true, true, true, 'profession', 3::smallint) = 95
    and rider_cell(false, true, false, 'student', 2::smallint) = 30 as ok;

select 'who looked at a number is never changed' as what,
  not has_table_privilege('saddle_app', 'rider_reveal', 'update, delete, truncate')
    and not has_table_privilege('saddle_system', 'rider_reveal', 'update, delete, truncate') as ok;
