-- The calendar by which a company's hours make days; a company without a row has Asia/Shanghai and midnight.
create table report_calendar (
  agent_id bigint primary key references agent (id),
  -- Whole hours from UTC only: an hour belongs to one day.
  zone text not null default 'Asia/Shanghai' check (zone in ('Asia/Shanghai', 'Asia/Urumqi', 'Asia/Bangkok', 'Asia/Singapore',
    'Asia/Tokyo', 'Europe/London', 'Europe/Berlin')),
  day_starts_at smallint not null default 0 check (day_starts_at between 0 and 12),
  changed_at timestamptz not null,
  changed_by_id bigint not null,
  changed_by text not null check (char_length(changed_by) between 1 and 40)
);
comment on table report_calendar is 'Time zone and first hour of the business day in reports of a company, where they are not the usual ones.';
select enable_tenant_rls('report_calendar', false);
revoke delete, truncate on report_calendar from saddle_app, saddle_system;

create function report_day(at timestamptz, zone text, day_starts_at smallint) returns date
  language sql immutable parallel safe
  return ((at at time zone coalesce(zone, 'Asia/Shanghai')) - coalesce(day_starts_at, 0::smallint) * interval '1 hour')::date;

-- An hour of an area whose rides have changed: written in the transaction that changes them, any number of times.
create table report_stale (
  agent_id bigint not null,
  area_id bigint not null,
  hour timestamptz not null
);
comment on table report_stale is 'Hours of areas whose rides have changed since their figures were made; a queue.';
select enable_tenant_rls('report_stale', true);
revoke select, update, delete, truncate on report_stale from saddle_app;

-- Hours that are to be made anew and that nobody waits for: each once, in an order that makes a day from many of its hours.
create table report_backlog (
  agent_id bigint not null,
  area_id bigint not null,
  hour timestamptz not null,
  primary key (area_id, hour)
);
comment on table report_backlog is 'Hours of areas whose figures are to be made anew, after the changes of now; a queue.';
select enable_tenant_rls('report_backlog', true);
revoke all on report_backlog from saddle_app;

-- Figures of the orders that were placed in an hour. A cut is all of them, or those of one model of vehicles.
create table report_ride_hour (
  agent_id bigint not null,
  area_id bigint not null,
  cut text not null check (cut in ('all', 'model')),
  value text not null check (char_length(value) <= 40),
  day date not null,
  hour timestamptz not null,
  rides integer not null,
  cancelled integer not null,
  failed integer not null,
  due_rides integer not null,
  free_rides integer not null,
  short_rides integer not null,
  charged_cents bigint not null,
  refunded_cents bigint not null,
  due_cents bigint not null,
  ride_seconds bigint not null,
  distance_m bigint not null,
  primary key (area_id, cut, hour, value)
);
comment on table report_ride_hour is 'Figures of the orders placed in an hour, by area and by area and model.';
create index report_ride_hour_day on report_ride_hour (area_id, cut, day);
select enable_tenant_rls('report_ride_hour', true);
revoke insert, update, delete, truncate on report_ride_hour from saddle_app;

create table report_ride_day (like report_ride_hour including constraints);
alter table report_ride_day drop column hour, add primary key (area_id, cut, day, value);
comment on table report_ride_day is 'Figures of the orders placed on a day of the company''s calendar, made of its hours.';
select enable_tenant_rls('report_ride_day', true);
revoke insert, update, delete, truncate on report_ride_day from saddle_app;

-- `day` is the first of the month.
create table report_ride_month (like report_ride_day including constraints);
alter table report_ride_month add primary key (area_id, cut, day, value);
comment on table report_ride_month is 'Figures of the orders placed in a month, made of its days.';
select enable_tenant_rls('report_ride_month', true);
revoke insert, update, delete, truncate on report_ride_month from saddle_app;

-- What the ledger has posted, by when it happened. An entry that is not about an order belongs to the company alone.
create table report_money_hour (
  agent_id bigint not null,
  area_id bigint,
  account text not null check (account ~ '^[a-z_]{3,40}$'),
  kind text not null check (kind ~ '^[a-z_]{3,40}$'),
  -- The payment channel of the entry, and of which kind its card is.
  channel text not null check (channel in ('', 'wechat', 'alipay', 'bank', 'sandbox')),
  card_kind text not null check (char_length(card_kind) <= 20),
  day date not null,
  hour timestamptz not null,
  credits integer not null,
  debits integer not null,
  credit_cents bigint not null check (credit_cents >= 0),
  debit_cents bigint not null check (debit_cents >= 0),
  unique nulls not distinct (agent_id, account, kind, hour, area_id, channel, card_kind)
);
comment on table report_money_hour is 'Postings of the ledger by hour: company, area of the order, account, kind of entry, channel, kind of card.';
create index report_money_hour_day on report_money_hour (agent_id, account, day);
select enable_tenant_rls('report_money_hour', true);
revoke insert, update, delete, truncate on report_money_hour from saddle_app;

create table report_money_day (like report_money_hour including constraints);
alter table report_money_day drop column hour;
alter table report_money_day add unique nulls not distinct (agent_id, account, kind, day, area_id, channel, card_kind);
comment on table report_money_day is 'Postings of the ledger by day of the company''s calendar.';
select enable_tenant_rls('report_money_day', true);
revoke insert, update, delete, truncate on report_money_day from saddle_app;

create table report_money_month (like report_money_day including constraints);
alter table report_money_month add unique nulls not distinct (agent_id, account, kind, day, area_id, channel, card_kind);
comment on table report_money_month is 'Postings of the ledger by month of the company''s calendar.';
select enable_tenant_rls('report_money_month', true);
revoke insert, update, delete, truncate on report_money_month from saddle_app;

create table report_money_cursor (
  agent_id bigint primary key references agent (id),
  entry_number bigint not null check (entry_number >= 0)
);
comment on table report_money_cursor is 'How far the figures have taken in the entries of a book.';
select enable_tenant_rls('report_money_cursor', false);
revoke all on report_money_cursor from saddle_app;

create function report_note_ride() returns trigger language plpgsql as $$
begin
  insert into report_stale (agent_id, area_id, hour)
  values (new.agent_id, new.area_id, date_trunc('hour', new.placed_at, 'UTC'));
  return null;
end
$$;
-- Only what a figure counts: an order that is running is in none of them.
create trigger report_ride_made after insert on ride_order for each row
  when (new.charged_cents is not null or new.state in ('cancelled', 'failed')) execute function report_note_ride();
create trigger report_ride_changed after update of state, charged_cents, refunded_cents on ride_order for each row
  when (old.charged_cents is distinct from new.charged_cents or old.refunded_cents <> new.refunded_cents
    or (old.state <> new.state and (old.state = 'due' or new.state in ('cancelled', 'failed', 'due'))))
  execute function report_note_ride();

-- Rides are told apart by the model that their vehicle has now.
create function report_note_model() returns trigger language plpgsql as $$
begin
  insert into report_backlog (agent_id, area_id, hour)
  select distinct o.agent_id, o.area_id, date_trunc('hour', o.placed_at, 'UTC') from ride_order o where o.vehicle_id = new.id
  on conflict do nothing;
  return null;
end
$$;
create trigger report_model_changed after update of model on vehicle for each row when (old.model <> new.model)
  execute function report_note_model();

set local role saddle_system;
insert into report_backlog (agent_id, area_id, hour)
select distinct agent_id, area_id, date_trunc('hour', placed_at, 'UTC') from ride_order
where charged_cents is not null or state in ('cancelled', 'failed');
reset role;
