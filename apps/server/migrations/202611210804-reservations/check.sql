select 'an event that a rider caused' as what,
  pg_get_constraintdef(oid) like '%rider%' and convalidated as ok
from pg_constraint where conname = 'vehicle_event_cause_check';
