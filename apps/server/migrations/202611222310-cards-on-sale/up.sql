alter table card_product
  add column was_price_cents bigint check (was_price_cents > price_cents and was_price_cents <= 10000000),
  -- So many rides in all; null: any number within the days.
  add column rides integer check (rides between 1 and 1000),
  add column max_off_cents bigint check (max_off_cents between 1 and 1000000),
  -- Empty: every area of the company.
  add column area_ids bigint[] not null default '{}' check (cardinality(area_ids) <= 500),
  add column stock integer check (stock between 1 and 1000000),
  -- Sold and waiting to be paid for. What was refunded stays counted.
  add column sold integer not null default 0 check (sold >= 0),
  add column rider_max integer check (rider_max between 1 and 100),
  add column place integer not null default 0,
  add column badge text not null default '' check (char_length(badge) <= 6),
  add column slogan text not null default '' check (char_length(slogan) <= 24),
  add column colour text not null default 'blue' check (colour in ('blue', 'green', 'orange', 'red', 'violet', 'black')),
  add column on_from timestamptz,
  add column on_to timestamptz,
  add column created_at timestamptz,
  add constraint card_product_stock check (stock is null or sold <= stock),
  add constraint card_product_span check (on_to > on_from),
  add constraint card_product_cap check (kind = 'discount' or max_off_cents is null),
  drop constraint card_product_state_check;

set local role saddle_system;
update card_product set created_at = changed_at, state = case state when 'off' then 'paused' else state end,
  sold = (select count(*) from rider_card c where c.product_id = card_product.id);
reset role;
alter table card_product
  add constraint card_product_state_check check (state in ('draft', 'on', 'paused', 'ended')),
  alter column created_at set not null,
  alter column created_at set default now();
create index card_product_list on card_product (agent_id, state, place, id desc);

create table card_product_version (
  product_id bigint not null,
  version integer not null check (version > 0),
  agent_id bigint not null,
  terms jsonb not null,
  made_at timestamptz not null,
  made_by_id bigint,
  made_by text not null check (char_length(made_by) between 1 and 40),
  primary key (product_id, version),
  foreign key (product_id, agent_id) references card_product (id, agent_id)
);
comment on table card_product_version is 'What a pass on sale has promised, version by version; sold passes keep theirs.';
select enable_tenant_rls('card_product_version', false);
revoke update, delete, truncate on card_product_version from saddle_app, saddle_system;

set local role saddle_system;
insert into card_product_version (product_id, version, agent_id, terms, made_at, made_by)
select id, version, agent_id, jsonb_build_object('kind', kind, 'name', name, 'priceCents', price_cents, 'days', days,
  'freeMinutes', free_minutes, 'ridesPerDay', rides_per_day, 'percentOff', percent_off), changed_at, changed_by
from card_product;
reset role;

alter table rider_card
  add column version integer not null default 1,
  add column rides integer check (rides between 1 and 1000),
  -- Rides that it was used for, and how many of them are earned; for passes of so many rides.
  add column ridden integer not null default 0,
  add column earned_rides integer not null default 0,
  -- Entries that earned rides, so that each has a key of its own.
  add column earnings integer not null default 0 check (earnings >= 0),
  add column max_off_cents bigint,
  add column area_ids bigint[] not null default '{}',
  -- Until when the stock is kept for a pass that waits for its payment.
  add column held_until timestamptz,
  add column revoked_at timestamptz,
  add column revoked_by text check (char_length(revoked_by) between 1 and 40),
  add column revoke_reason text not null default '' check (char_length(revoke_reason) <= 120),
  drop constraint rider_card_check2,
  drop constraint rider_card_check3,
  drop constraint rider_card_check5,
  drop constraint rider_card_paid_by_check,
  drop constraint rider_card_price_cents_check,
  drop constraint rider_card_state_check,
  -- `lapsed`: it was not paid for in time. `revoked`: a pass that was given was taken back.
  add constraint rider_card_state check (state in ('waiting', 'lapsed', 'active', 'over', 'refunded', 'revoked')),
  add constraint rider_card_bought check ((state in ('waiting', 'lapsed')) = (bought_at is null)
    and (state in ('waiting', 'lapsed')) = (paid_by is null) and (state in ('waiting', 'lapsed')) = (begins_on is null)),
  add constraint rider_card_paid_by check (paid_by in ('balance', 'wechat', 'alipay', 'sandbox', 'gift')),
  add constraint rider_card_price check (price_cents >= 0 and (price_cents = 0) = (coalesce(paid_by, '') = 'gift')),
  add constraint rider_card_over check (rides is not null or (state = 'over') = (earned_days = days)),
  add constraint rider_card_ridden check (ridden between 0 and coalesce(rides, 0)
    and earned_rides between 0 and coalesce(rides, 0)),
  add constraint rider_card_revoked check ((state = 'revoked') = (revoked_at is not null)
    and (state = 'revoked') = (revoked_by is not null) and (state <> 'revoked' or paid_by = 'gift'));
comment on table rider_card is 'Pass that a rider bought or was given, with the terms of that day.';
drop index rider_card_product;
create index rider_card_product on rider_card (product_id, agent_id, state, id desc);
drop index rider_card_agent;
create index rider_card_agent on rider_card (agent_id, state, id desc);
create index rider_card_list on rider_card (state, id desc) include (agent_id);
create index rider_card_held on rider_card (held_until, id) where state = 'waiting';
create index rider_card_rides on rider_card (id) where state = 'active' and rides is not null;

-- A ride whose whole charge was refunded did not use the pass.
alter table card_use add column returned_at timestamptz;
grant update (returned_at) on card_use to saddle_system;
