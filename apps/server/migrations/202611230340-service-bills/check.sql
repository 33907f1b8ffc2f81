select 'what was counted is never changed: ' || t.name || ', ' || r.name as what,
  not has_table_privilege(r.name, t.name, 'update, delete, truncate') as ok
from unnest(array['meter_price', 'meter_tally', 'meter_closing', 'meter_day']) t (name),
  unnest(array['saddle_app', 'saddle_system']) r (name);

select 'every meter has a price' as what, count(distinct meter) = 5 as ok from meter_price;
