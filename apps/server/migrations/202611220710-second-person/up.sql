-- What people do with riders' money: `done` at once, or asked for and held until a second person decides.
create table money_act (
  id bigint generated always as identity (start with 1001) primary key,
  agent_id bigint not null references agent (id),
  -- Where the thing belongs to an area, as an order does.
  area_id bigint references service_area (id),
  rider_id bigint not null,
  act text not null check (act in ('charge', 'balance_refund', 'deposit_refund', 'card_refund', 'order_refund')),
  cents bigint not null check (cents > 0),
  reason text not null check (char_length(reason) <= 200),
  -- The call's input, to be done when it is confirmed; null where it was done at once.
  input jsonb check (length(input::text) <= 4000),
  input_hash text,
  operator_id bigint not null,
  operator_name text not null,
  acted_at timestamptz not null,
  expires_at timestamptz,
  state text not null check (state in ('done', 'waiting', 'confirmed', 'rejected', 'withdrawn', 'expired')),
  decided_by_id bigint,
  decided_by text,
  decided_at timestamptz,
  note text not null default '' check (char_length(note) <= 200),
  check ((state = 'done') = (input is null and input_hash is null and expires_at is null)),
  check ((state in ('done', 'waiting')) = (decided_at is null)),
  -- Never the same person.
  check (state not in ('confirmed', 'rejected') or decided_by_id <> operator_id),
  foreign key (rider_id, agent_id) references rider (id, agent_id)
);
-- Asked for twice, it is the same request.
create unique index money_act_waiting on money_act (operator_id, act, input_hash) where state = 'waiting';
create index money_act_of_day on money_act (operator_id, acted_at) where state = 'done';
create index money_act_listed on money_act (agent_id, id desc) where state <> 'done';
create index money_act_due on money_act (expires_at) where state = 'waiting';
select enable_tenant_rls('money_act', true);
revoke insert, update, delete on money_act from saddle_app;
revoke delete on money_act from saddle_system;
