alter table rider_import drop constraint rider_import_state_check;
alter table rider_import add constraint rider_import_state_check
  check (state in ('checked', 'committed', 'discarded', 'expired'));
alter table rider_import drop constraint rider_import_check4;
alter table rider_import add constraint rider_import_check4 check ((ended_by is null) = (state in ('checked', 'expired')));

-- Balances of the lines that cannot be taken, as far as they can be read; null: brought before this was kept.
alter table rider_import add column refused_cents bigint check (refused_cents >= 0);
-- Opening balances that the ledger has of a batch, read back when it was committed.
alter table rider_import add column booked integer check (booked >= 0);
alter table rider_import add column booked_cents bigint check (booked_cents >= 0);
alter table rider_import add constraint rider_import_booked check (
  (booked is null) = (booked_cents is null) and (booked is null or state = 'committed')
);

-- A batch that nobody decided on may be brought again.
drop index rider_import_file;
create unique index rider_import_file on rider_import (agent_id, sha256) where state in ('checked', 'committed');
create index rider_import_waiting on rider_import (created_at) where state = 'checked';
