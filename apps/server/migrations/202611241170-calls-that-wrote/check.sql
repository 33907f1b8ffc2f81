select 'a call may have written without an answer' as what,
  pg_get_constraintdef(oid) ~ 'written' as ok
from pg_constraint where conrelid = 'idempotency'::regclass and conname = 'idempotency_status_check';
