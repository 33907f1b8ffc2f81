-- A deposit that a rider paid: what of it is frozen, was kept, was given back. Its number is that of its payment.
create table rider_deposit (
  id bigint primary key,
  agent_id bigint not null,
  rider_id bigint not null,
  cents bigint not null check (cents > 0),
  frozen_cents bigint not null default 0 check (frozen_cents >= 0),
  recovered_cents bigint not null default 0 check (recovered_cents >= 0),
  refunded_cents bigint not null default 0 check (refunded_cents >= 0),
  paid_at timestamptz not null,
  state text not null generated always as (
    case when frozen_cents > 0 then 'frozen' when recovered_cents + refunded_cents = cents then 'over' else 'held' end
  ) stored,
  check (frozen_cents + recovered_cents + refunded_cents <= cents),
  unique (id, agent_id),
  foreign key (id, agent_id) references payment (id, agent_id),
  foreign key (rider_id, agent_id) references rider (id, agent_id)
);
create index rider_deposit_rider on rider_deposit (rider_id, id desc);
create index rider_deposit_agent on rider_deposit (agent_id, state, id desc);
create index rider_deposit_state on rider_deposit (state, id desc) include (agent_id);
select enable_tenant_rls('rider_deposit', false);

insert into rider_deposit (id, agent_id, rider_id, cents, refunded_cents, paid_at)
select p.id, p.agent_id, p.rider_id, p.cents,
  coalesce((select sum(r.cents) from payment_refund r where r.payment_id = p.id), 0), p.paid_at
from payment p join rider i on i.id = p.rider_id and i.agent_id = p.agent_id
where p.purpose = 'deposit' and p.state = 'paid';

-- A damage or fine that is looked into: its part of the deposit is frozen until it is let go or kept.
create table deposit_case (
  id bigint generated always as identity (start with 1001) primary key,
  agent_id bigint not null,
  deposit_id bigint not null,
  cents bigint not null check (cents > 0),
  recovered_cents bigint not null default 0 check (recovered_cents between 0 and cents),
  state text not null default 'open' check (state in ('open', 'released', 'recovered')),
  reason text not null check (char_length(reason) between 1 and 120),
  operator_id bigint,
  operator_name text not null check (char_length(operator_name) between 1 and 40),
  opened_at timestamptz not null,
  decision text not null default '' check (char_length(decision) <= 120),
  decided_by_id bigint,
  decided_by text check (char_length(decided_by) between 1 and 40),
  decided_at timestamptz,
  foreign key (deposit_id, agent_id) references rider_deposit (id, agent_id),
  check ((state = 'open') = (decided_at is null) and (state = 'open') = (decided_by is null)),
  check ((state = 'recovered') = (recovered_cents > 0))
);
create index deposit_case_deposit on deposit_case (deposit_id, id);
select enable_tenant_rls('deposit_case', false);

-- What is asked of riders in an area, or without one in every area of the franchisee that has none of its own. The
-- latest row is in force; none is changed.
create table deposit_setting (
  id bigint generated always as identity (start with 1001) primary key,
  agent_id bigint not null references agent (id),
  area_id bigint,
  cents bigint not null check (cents between 0 and 1000000),
  -- Riders who need none.
  free_students boolean not null,
  free_card_holders boolean not null,
  author_id bigint,
  author_name text not null check (char_length(author_name) between 1 and 40),
  created_at timestamptz not null,
  foreign key (area_id, agent_id) references service_area (id, agent_id)
);
create index deposit_setting_area on deposit_setting (agent_id, area_id, id desc);
select enable_tenant_rls('deposit_setting', true);
revoke update, delete, truncate on deposit_setting from saddle_app, saddle_system;

-- Cards that riders can buy. What a sold one promises stands with it and does not change.
create table card_product (
  id bigint generated always as identity (start with 1001) primary key,
  agent_id bigint not null references agent (id),
  kind text not null check (kind in ('riding', 'discount')),
  name text not null check (char_length(name) between 1 and 20),
  price_cents bigint not null check (price_cents between 1 and 10000000),
  days integer not null check (days between 1 and 366),
  -- Riding cards: so many minutes of a ride cost nothing, so many times a day; null: every time.
  free_minutes integer check (free_minutes between 1 and 1440),
  rides_per_day integer check (rides_per_day between 1 and 100),
  -- Discount cards.
  percent_off integer check (percent_off between 1 and 99),
  state text not null default 'on' check (state in ('on', 'off')),
  version integer not null default 1,
  changed_by text not null check (char_length(changed_by) between 1 and 40),
  changed_at timestamptz not null,
  unique (agent_id, name),
  unique (id, agent_id),
  check ((kind = 'riding') = (free_minutes is not null) and (kind = 'discount') = (percent_off is not null)),
  check (kind = 'riding' or rides_per_day is null)
);
select enable_tenant_rls('card_product', false);

create table rider_card (
  id bigint generated always as identity (start with 1001) primary key,
  agent_id bigint not null,
  rider_id bigint not null,
  product_id bigint not null,
  kind text not null check (kind in ('riding', 'discount')),
  name text not null,
  price_cents bigint not null check (price_cents > 0),
  days integer not null check (days > 0),
  free_minutes integer,
  rides_per_day integer,
  percent_off integer,
  -- `waiting`: for the payment channel. `over`: every day of it has passed and is earned.
  state text not null default 'waiting' check (state in ('waiting', 'active', 'over')),
  paid_by text check (paid_by in ('balance', 'wechat', 'alipay', 'sandbox')),
  -- Given by the rider's application: sent twice, it is one card.
  request_id text not null check (char_length(request_id) between 8 and 64),
  asked_at timestamptz not null,
  bought_at timestamptz,
  -- Business days; the second one is the first on which it is not valid any more.
  begins_on date,
  ends_on date,
  earned_days integer not null default 0 check (earned_days between 0 and days),
  unique (id, agent_id),
  unique (rider_id, request_id),
  foreign key (rider_id, agent_id) references rider (id, agent_id),
  foreign key (product_id, agent_id) references card_product (id, agent_id),
  check ((state = 'waiting') = (bought_at is null) and (state = 'waiting') = (paid_by is null)),
  check ((state = 'waiting') = (begins_on is null)),
  check (ends_on = begins_on + days),
  check ((state = 'over') = (earned_days = days))
);
create index rider_card_rider on rider_card (rider_id, id desc);
create index rider_card_active on rider_card (begins_on, id) where state = 'active';
create index rider_card_agent on rider_card (agent_id, id desc);
select enable_tenant_rls('rider_card', false);

-- Rides on which a card took something off.
create table card_use (
  order_id bigint not null,
  card_id bigint not null,
  agent_id bigint not null,
  used_on date not null,
  saved_cents bigint not null check (saved_cents > 0),
  primary key (order_id, card_id),
  foreign key (card_id, agent_id) references rider_card (id, agent_id)
);
create index card_use_card on card_use (card_id, used_on);
select enable_tenant_rls('card_use', false);

-- Money that people of the franchisee move by hand in a rider's wallet, each with its reason.
create table platform_charge (
  id bigint generated always as identity (start with 1001) primary key,
  agent_id bigint not null,
  rider_id bigint not null,
  account text not null check (account in ('balance', 'gift')),
  direction text not null check (direction in ('debit', 'credit')),
  cents bigint not null check (cents between 1 and 1000000),
  reason text not null check (char_length(reason) between 1 and 120),
  operator_id bigint,
  operator_name text not null check (char_length(operator_name) between 1 and 40),
  charged_at timestamptz not null,
  foreign key (rider_id, agent_id) references rider (id, agent_id)
);
create index platform_charge_rider on platform_charge (rider_id, id desc);
select enable_tenant_rls('platform_charge', false);

-- What the nightly look at the books found.
create table money_check (
  id bigint generated always as identity primary key,
  checked_at timestamptz not null,
  -- `begun` for long: the server died meanwhile.
  state text not null default 'begun' check (state in ('begun', 'done')),
  entries bigint not null default 0,
  postings bigint not null default 0,
  faults jsonb not null default '[]' check (jsonb_typeof(faults) = 'array'),
  took_ms integer not null default 0 check (took_ms >= 0)
);
-- It spans all franchisees.
revoke all on money_check from saddle_app;

-- Requests read; money moves in the system's transactions, beside its entry.
revoke insert, update, delete, truncate on rider_deposit, deposit_case, rider_card, card_use, platform_charge
  from saddle_app;
revoke delete, truncate on rider_deposit, deposit_case, rider_card from saddle_system;
revoke update, delete, truncate on card_use, platform_charge from saddle_system;
revoke delete, truncate on card_product from saddle_app, saddle_system;
