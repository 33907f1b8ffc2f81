-- The areas of a company that have figures of orders.
create table report_company (
  agent_id bigint primary key references agent (id),
  area_ids bigint[] not null
);
comment on table report_company is 'Areas of a company that its figures are made of.';
select enable_tenant_rls('report_company', false);
revoke insert, update, delete, truncate on report_company from saddle_app;

-- Companies of the scope all of whose areas are in it: figures of a whole company are for nobody else.
create function app_whole_agent_ids() returns bigint[] language sql stable parallel safe
  return (select coalesce(array_agg(w.agent_id), '{}') from report_company w
    where w.agent_id = any (app_agent_ids()) and w.area_ids <@ app_area_ids());
revoke execute on function app_whole_agent_ids() from public;
grant execute on function app_whole_agent_ids() to saddle_app, saddle_system;

create table report_ride_company_hour (like report_ride_hour including constraints);
alter table report_ride_company_hour drop column area_id, add primary key (agent_id, cut, hour, value);
comment on table report_ride_company_hour is 'Figures of the orders placed in an hour, of all areas of a company.';
create index report_ride_company_hour_day on report_ride_company_hour (agent_id, cut, day);

create table report_ride_company_day (like report_ride_day including constraints);
alter table report_ride_company_day drop column area_id, add primary key (agent_id, cut, day, value);
comment on table report_ride_company_day is 'Figures of the orders placed on a day, of all areas of a company.';

create table report_money_company_hour (like report_money_hour including constraints);
alter table report_money_company_hour drop column area_id,
  add primary key (agent_id, account, kind, hour, channel, card_kind);
comment on table report_money_company_hour is 'Postings of the ledger by hour, of a company with all of its areas.';
create index report_money_company_hour_day on report_money_company_hour (agent_id, account, day);

create table report_money_company_day (like report_money_day including constraints);
alter table report_money_company_day drop column area_id,
  add primary key (agent_id, account, day, kind, channel, card_kind);
-- What one area has posted.
create index report_money_day_area on report_money_day (area_id, account, day) where area_id is not null;
comment on table report_money_company_day is 'Postings of the ledger by day, of a company with all of its areas.';

create table report_fleet_company_day (
  agent_id bigint not null,
  day date not null,
  vehicles integer not null,
  ridden integer not null,
  primary key (agent_id, day)
);
comment on table report_fleet_company_day is 'Vehicles of a day of all areas of a company, and how many were ridden.';

do $$
declare
  name text;
begin
  foreach name in array array['report_ride_company_hour', 'report_ride_company_day', 'report_money_company_hour',
    'report_money_company_day', 'report_fleet_company_day'] loop
    execute format('alter table %I enable row level security', name);
    execute format('alter table %I force row level security', name);
    execute format('create policy tenant on %I for all to saddle_app
      using (agent_id = any ((select app_whole_agent_ids())::bigint[])) with check (false)', name);
    execute format('create policy system on %I for all to saddle_system using (true) with check (true)', name);
    execute format('revoke insert, update, delete, truncate on %I from saddle_app', name);
  end loop;
end
$$;

-- The fleet's figures of a day are written once by its job, and again when they are made anew: what changes is added.
create function report_add_fleet() returns trigger language plpgsql as $$
declare
  row fleet_day := coalesce(new, old);
begin
  if tg_op <> 'DELETE' then
    insert into report_company (agent_id, area_ids) values (row.agent_id, array[row.area_id])
    on conflict (agent_id) do update set area_ids = report_company.area_ids || row.area_id
    where not row.area_id = any (report_company.area_ids);
  end if;
  insert into report_fleet_company_day (agent_id, day, vehicles, ridden)
  values (row.agent_id, row.day, coalesce(new.vehicles, 0) - coalesce(old.vehicles, 0),
    coalesce(new.ridden, 0) - coalesce(old.ridden, 0))
  on conflict (agent_id, day) do update set vehicles = report_fleet_company_day.vehicles + excluded.vehicles,
    ridden = report_fleet_company_day.ridden + excluded.ridden;
  return null;
end
$$;
create trigger report_fleet_changed after insert or delete or update of vehicles, ridden on fleet_day for each row
  execute function report_add_fleet();

set local role saddle_system;
insert into report_company (agent_id, area_ids)
select agent_id, array_agg(distinct area_id)
from (select agent_id, area_id from report_ride_hour union select agent_id, area_id from fleet_day) a group by agent_id;
insert into report_fleet_company_day (agent_id, day, vehicles, ridden)
select agent_id, day, sum(vehicles), sum(ridden) from fleet_day group by agent_id, day;
insert into report_ride_company_hour (agent_id, cut, value, day, hour, rides, cancelled, failed, due_rides, free_rides,
  short_rides, charged_cents, refunded_cents, due_cents, ride_seconds, distance_m)
select agent_id, cut, value, min(day), hour, sum(rides), sum(cancelled), sum(failed), sum(due_rides), sum(free_rides),
  sum(short_rides), sum(charged_cents), sum(refunded_cents), sum(due_cents), sum(ride_seconds), sum(distance_m)
from report_ride_hour group by agent_id, cut, value, hour;
insert into report_ride_company_day (agent_id, cut, value, day, rides, cancelled, failed, due_rides, free_rides,
  short_rides, charged_cents, refunded_cents, due_cents, ride_seconds, distance_m)
select agent_id, cut, value, day, sum(rides), sum(cancelled), sum(failed), sum(due_rides), sum(free_rides),
  sum(short_rides), sum(charged_cents), sum(refunded_cents), sum(due_cents), sum(ride_seconds), sum(distance_m)
from report_ride_company_hour group by agent_id, cut, value, day;
insert into report_money_company_hour (agent_id, account, kind, channel, card_kind, day, hour, credits, debits, credit_cents,
  debit_cents)
select agent_id, account, kind, channel, card_kind, min(day), hour, sum(credits), sum(debits), sum(credit_cents),
  sum(debit_cents)
from report_money_hour group by agent_id, account, kind, channel, card_kind, hour;
insert into report_money_company_day (agent_id, account, kind, channel, card_kind, day, credits, debits, credit_cents,
  debit_cents)
select agent_id, account, kind, channel, card_kind, day, sum(credits), sum(debits), sum(credit_cents), sum(debit_cents)
from report_money_company_hour group by agent_id, account, kind, channel, card_kind, day;
reset role;

-- Entries of a span are looked for behind a figure. Entries come nearly in the order of their time, so that a few
-- values for each range of pages find them, and an insert pays nothing for it.
create index ledger_entry_occurred on ledger_entry using brin (occurred_at) with (pages_per_range = 32, autosummarize = on);
