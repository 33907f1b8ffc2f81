create table recharge_use (
  -- The payment.
  id bigint primary key,
  agent_id bigint not null,
  activity_id bigint not null,
  version integer not null,
  rider_id bigint not null,
  -- `asked`: not paid yet. `refused`: it was paid and got nothing, with the reason.
  state text not null default 'asked' check (state in ('asked', 'given', 'refused', 'revoked')),
  why text check (why in ('not_on', 'budget_spent', 'rider_cap', 'rider_day_cap', 'not_first', 'held_out', 'reward')),
  cents bigint not null check (cents > 0),
  -- Of what it promises: gift balance.
  gift_cents bigint not null check (gift_cents >= 0),
  -- What it promises, as `rewardsSchema` of the contract has it.
  rewards jsonb not null check (jsonb_typeof(rewards) = 'array' and length(rewards::text) <= 4000),
  asked_at timestamptz not null,
  settled_at timestamptz,
  foreign key (id, agent_id) references payment (id, agent_id),
  foreign key (activity_id, version, agent_id) references activity_version (activity_id, version, agent_id),
  foreign key (rider_id, agent_id) references rider (id, agent_id),
  check ((state = 'asked') = (settled_at is null)),
  check ((state = 'refused') = (why is not null))
);
comment on table recharge_use is 'Recharge that was asked for with an offer of an activity, and what it was given.';
create index recharge_use_agent on recharge_use (agent_id, state, asked_at desc, id desc);
create index recharge_use_time on recharge_use (state, asked_at desc, id desc) include (agent_id);
create index recharge_use_activity on recharge_use (activity_id, asked_at desc, id desc);
create index recharge_use_rider on recharge_use (rider_id, asked_at desc, id desc);
select enable_tenant_rls('recharge_use', false);
revoke insert, update, delete, truncate on recharge_use from saddle_app;
revoke delete, truncate on recharge_use from saddle_system;
