create table report_schedule (
  id bigint primary key generated always as identity (start with 1001),
  agent_id bigint not null references agent (id),
  name text not null check (char_length(name) between 1 and 40),
  report text not null check (report ~ '^[a-zA-Z]{3,20}$'),
  grouped_by text not null check (grouped_by ~ '^[a-z]{3,10}$'),
  span text not null check (span in ('yesterday', 'last_7_days', 'last_week', 'last_30_days', 'last_month')),
  frequency text not null check (frequency in ('daily', 'weekly', 'monthly')),
  -- 1 is Monday.
  weekday smallint check (weekday between 1 and 7),
  month_day smallint check (month_day between 1 and 28),
  hour smallint not null check (hour between 0 and 23),
  format text not null check (format in ('csv', 'xlsx')),
  area_ids bigint[],
  channels text[],
  receiver_ids bigint[] not null check (cardinality(receiver_ids) between 1 and 50),
  state text not null default 'active' check (state in ('active', 'paused')),
  next_at timestamptz not null,
  last_at timestamptz,
  created_at timestamptz not null,
  created_by_id bigint not null,
  created_by text not null check (char_length(created_by) between 1 and 40),
  unique (id, agent_id),
  check ((frequency = 'weekly') = (weekday is not null) and (frequency = 'monthly') = (month_day is not null))
);
comment on table report_schedule is 'A report that is made regularly for some people of a company.';
create index report_schedule_due on report_schedule (next_at) where state = 'active';
create index report_schedule_list on report_schedule (agent_id, created_at desc, id desc);
select enable_tenant_rls('report_schedule', false);
revoke truncate on report_schedule from saddle_app, saddle_system;

-- One row for each receiver and time: what was made is found again, and nothing is made twice.
create table report_delivery (
  id bigint primary key generated always as identity (start with 1001),
  agent_id bigint not null,
  schedule_id bigint not null,
  operator_id bigint not null,
  operator_name text not null,
  due_at timestamptz not null,
  first_day date not null,
  last_day date not null check (last_day >= first_day),
  state text not null check (state in ('making', 'ready', 'forbidden', 'failed')),
  export_id uuid,
  ended_at timestamptz,
  foreign key (schedule_id, agent_id) references report_schedule (id, agent_id) on delete cascade,
  unique (schedule_id, operator_id, due_at),
  check ((state = 'making') = (ended_at is null))
);
comment on table report_delivery is 'A scheduled report for one receiver: made, refused because the receiver may not read it, or failed.';
create index report_delivery_making on report_delivery (id) where state = 'making';
create index report_delivery_list on report_delivery (agent_id, due_at desc, id desc);
select enable_tenant_rls('report_delivery', false);
revoke insert, update, delete, truncate on report_delivery from saddle_app;
