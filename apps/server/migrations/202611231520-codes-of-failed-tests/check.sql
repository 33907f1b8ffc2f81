select 'a rework has a reason or a test' as what, count(*) = 1 as ok
from pg_constraint where conrelid = 'rework'::regclass and conname = 'rework_reason_check'
  and pg_get_constraintdef(oid) like '%test_id IS NOT NULL%';

select 'an event keeps what a test found' as what, count(*) = 1 as ok
from pg_attribute where attrelid = 'unit_event'::regclass and attname = 'failures' and not attisdropped;
