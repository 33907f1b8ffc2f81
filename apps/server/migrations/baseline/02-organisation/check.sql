select 'requests cannot reach applications' as what,
  not has_table_privilege('saddle_app', 'franchise_application', 'select, insert, update, delete') as ok;

select 'nobody is below an agent that does not exist' as what, count(*) = 0 as ok from agent_and_below(0);

select 'the box of a ring' as what,
  ring_box('[[1, 2], [3, 2], [3, 5], [1, 2]]') ~= box(point(1, 2), point(3, 5)) as ok;
