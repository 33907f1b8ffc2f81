select 'figures of days have the levels of their tasks' as what, not exists (
  select from work_day w join work_day_counted c
    on (w.area_id, w.kind, w.day, w.person_id, w.person_name) = (c.area_id, c.kind, c.day, c.person_id, c.person_name)
  where (w.battery_before, w.battery_after) is distinct from (c.battery_before, c.battery_after)
) as ok;
