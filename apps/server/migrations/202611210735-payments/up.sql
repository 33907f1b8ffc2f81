-- What a rider was asked to pay through a channel. The ledger has the money; this row has the way there.
create table payment (
  id bigint generated always as identity (start with 1001) primary key,
  agent_id bigint not null references agent (id),
  rider_id bigint not null check (rider_id > 0),
  purpose text not null check (purpose in ('recharge', 'deposit')),
  channel text not null check (channel in ('wechat', 'alipay', 'sandbox')),
  -- Given to the channel, so it is unique over all agents, and says nothing about how many payments there are.
  number text not null unique check (number ~ '^[A-Za-z0-9]{16,32}$'),
  cents bigint not null check (cents between 1 and 100000000),
  gift_cents bigint not null default 0 check (gift_cents between 0 and 100000000),
  state text not null default 'waiting' check (state in ('waiting', 'paid')),
  trade_number text check (char_length(trade_number) between 1 and 64),
  created_at timestamptz not null,
  paid_at timestamptz,
  check ((state = 'paid') = (paid_at is not null and trade_number is not null)),
  unique (id, agent_id)
);
create index payment_rider on payment (agent_id, rider_id, id);
select enable_tenant_rls('payment', false);

create table payment_refund (
  id bigint generated always as identity (start with 1001) primary key,
  agent_id bigint not null,
  payment_id bigint not null,
  number text not null unique check (number ~ '^[A-Za-z0-9]{16,32}$'),
  cents bigint not null check (cents > 0),
  reason text not null check (char_length(reason) between 1 and 80),
  -- `failed`: the channel refused; it can be asked again.
  state text not null default 'waiting' check (state in ('waiting', 'done', 'failed')),
  fault text not null default '' check (char_length(fault) <= 300),
  attempts integer not null default 0 check (attempts >= 0),
  created_at timestamptz not null,
  done_at timestamptz,
  check ((state = 'done') = (done_at is not null)),
  foreign key (payment_id, agent_id) references payment (id, agent_id)
);
create index payment_refund_payment on payment_refund (payment_id);
create index payment_refund_failed on payment_refund (agent_id, id) where state = 'failed';
select enable_tenant_rls('payment_refund', false);

-- The call-backs that were taken: a channel sends each as often as it likes.
create table payment_event (
  channel text not null,
  event_id text not null check (char_length(event_id) between 1 and 128),
  agent_id bigint not null,
  number text not null,
  kind text not null,
  received_at timestamptz not null,
  primary key (channel, event_id)
);
create index payment_event_number on payment_event (number);
select enable_tenant_rls('payment_event', false);

revoke insert, update, delete on payment, payment_refund, payment_event from saddle_app;
revoke delete on payment, payment_refund, payment_event from saddle_system;
revoke update on payment_event from saddle_system;
