select 'a step that MDS does not know is refused' as what,
  contype = 'c' and pg_get_constraintdef(oid) like '%trip_start available on_trip%' as ok
from pg_constraint where conname = 'vehicle_event_transition';

select 'no table of steps is left' as what, to_regclass('vehicle_transition') is null as ok;
