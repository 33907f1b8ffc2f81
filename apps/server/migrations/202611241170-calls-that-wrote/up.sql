-- A call notes in its own transaction that it has written something.
alter table idempotency drop constraint idempotency_status_check;
alter table idempotency add constraint idempotency_status_check check (status in ('running', 'written', 'done'));
