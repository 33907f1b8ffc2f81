select 'what is tested is kept apart by tenant' as what, count(*) = 5 as ok
from pg_class
where relname in ('factory_terms', 'factory_test', 'factory_test_step', 'rework', 'unit_event') and relforcerowsecurity;
select 'no event of a unit is changed by ' || r.name as what,
  not has_table_privilege(r.name, 'unit_event', 'update, delete') as ok
from unnest(array['saddle_app', 'saddle_system']) r (name);
select 'every delivery is an event' as what,
  (select count(*) from production_unit where delivered_at is not null) = (select count(*) from unit_event) as ok;
