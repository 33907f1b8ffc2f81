select 'a bill that was compared is never changed: ' || t.name || ', ' || r.name as what,
  not has_table_privilege(r.name, t.name, 'update, delete, truncate') as ok
from unnest(array['channel_bill', 'channel_bill_line']) t (name), unnest(array['saddle_app', 'saddle_system']) r (name);

select 'requests do not read bills of all companies' as what, not has_table_privilege('saddle_app', 'channel_bill', 'select') as ok;

select 'a difference is resolved by two people' as what, bool_and(convalidated) as ok
from pg_constraint where conname in ('channel_difference_two_people', 'channel_difference_not_the_same');
