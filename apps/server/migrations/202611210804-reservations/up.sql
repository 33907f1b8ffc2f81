-- A rider who reserves a vehicle or lets it go changes its state, too.
alter table vehicle_event drop constraint vehicle_event_cause_check;
alter table vehicle_event add constraint vehicle_event_cause_check
  check (cause in ('device', 'clock', 'operator', 'registration', 'rider'));
