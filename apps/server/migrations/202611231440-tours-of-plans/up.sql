alter table rebalance_plan
  add column assignee_id bigint,
  add column assignee_name text,
  add column stops jsonb not null default '[]',
  add constraint rebalance_plan_assignee check ((assignee_id is null) = (assignee_name is null)),
  add constraint rebalance_plan_stops check (jsonb_typeof(stops) = 'array');

create index rebalance_plan_assignee on rebalance_plan (assignee_id, id desc) where assignee_id is not null;
