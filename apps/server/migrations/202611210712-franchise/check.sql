select 'every company has a policy for devices' as what, count(*) filter (where device_policy is null) = 0 as ok from agent;
select 'the box of a ring' as what,
  ring_box('[[1, 2], [3, 2], [3, 5], [1, 2]]') ~= box(point(1, 2), point(3, 5)) as ok;
