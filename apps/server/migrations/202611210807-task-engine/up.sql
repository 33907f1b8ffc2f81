-- The work of the street: who does what by when, what they bring back, and what the platform asks for by rule.
alter table task drop constraint task_kind_check;
alter table task add constraint task_kind_check
  check (kind in ('battery_swap', 'move', 'repair', 'inspect', 'retrieve', 'relocate'));
alter table task drop constraint task_state_check;
alter table task add constraint task_state_check check (state in ('open', 'claimed', 'on_site', 'done', 'cancelled'));
alter table task drop constraint task_source_check;
alter table task add constraint task_source_check
  check (source in ('rule', 'rider', 'inspection', 'manual', 'rebalancing'));

alter table task
  -- The lower, the sooner.
  add column priority smallint not null default 2 check (priority between 1 and 3),
  add column due_at timestamptz,
  add column on_site_at timestamptz,
  add column assignee_id bigint,
  -- Of tasks by rule: what it saw, its figure, and when the reason went while somebody was on the way.
  add column trigger text check (trigger in
    ('low_battery', 'idle', 'alarm', 'fault', 'outside_area', 'overfull_place', 'empty_place')),
  add column trigger_detail text not null default '' check (char_length(trigger_detail) <= 80),
  add column trigger_value real,
  add column cause_gone_at timestamptz,
  -- WGS-84: where the vehicle stood when the task was opened, and where it is to go.
  add column from_lat double precision check (from_lat between -90 and 90),
  add column from_lng double precision check (from_lng between -180 and 180),
  add column to_lat double precision check (to_lat between -90 and 90),
  add column to_lng double precision check (to_lng between -180 and 180),
  add column to_fence_id bigint,
  add column to_name text not null default '' check (char_length(to_name) <= 80),
  -- What the person brought back.
  add column done_note text not null default '' check (char_length(done_note) <= 200),
  add column done_lat double precision check (done_lat between -90 and 90),
  add column done_lng double precision check (done_lng between -180 and 180),
  add column scanned_number text check (char_length(scanned_number) between 1 and 40),
  add column photo_ids text[] not null default '{}' check (cardinality(photo_ids) <= 3),
  add column battery_before real check (battery_before between 0 and 100),
  add column battery_after real check (battery_after between 0 and 100),
  -- As it was called then.
  add column reason text check (char_length(reason) between 1 and 40),
  add column pay_cents integer not null default 0 check (pay_cents >= 0),
  add column parts_cents integer not null default 0 check (parts_cents >= 0),
  add column review text not null default 'none' check (review in ('none', 'waiting', 'approved', 'rejected')),
  add column reviewed_at timestamptz,
  add column reviewer_id bigint,
  add column reviewer_name text check (char_length(reviewer_name) between 1 and 40),
  add column review_note text not null default '' check (char_length(review_note) <= 200),
  add constraint task_from_check check ((from_lat is null) = (from_lng is null)),
  add constraint task_to_check check ((to_lat is null) = (to_lng is null)),
  add constraint task_done_place_check check ((done_lat is null) = (done_lng is null)),
  add constraint task_reviewed_check check ((review in ('approved', 'rejected')) = (reviewed_at is not null)),
  add unique (id, agent_id, area_id);

-- The same work is not asked for twice. Unfinished is what has no end.
drop index task_open;
create unique index task_open on task (vehicle_id, kind) where done_at is null;
drop index task_area_open;
create index task_area_open on task (area_id, id desc) where done_at is null;
create index task_due on task (area_id, priority, due_at, id) where done_at is null;
create index task_assignee_open on task (assignee_id) where done_at is null and assignee_id is not null;
create index task_assignee_done on task (assignee_id, done_at desc) where done_at is not null;
create index task_review_waiting on task (area_id, id desc) where review = 'waiting';

-- Every step of a task with who, when and where. Never changed.
create table task_step (
  id bigint generated always as identity primary key,
  task_id bigint not null,
  agent_id bigint not null,
  area_id bigint not null,
  step text not null check (step in
    ('opened', 'claimed', 'released', 'assigned', 'transferred', 'started', 'done', 'cancelled', 'approved', 'rejected')),
  at timestamptz not null,
  -- Null: the platform itself. The name is that of the day.
  operator_id bigint,
  operator_name text check (char_length(operator_name) between 1 and 40),
  lat double precision check (lat between -90 and 90),
  lng double precision check (lng between -180 and 180),
  note text not null default '' check (char_length(note) <= 200),
  foreign key (task_id, agent_id, area_id) references task (id, agent_id, area_id) on delete cascade,
  check ((lat is null) = (lng is null))
);
create index task_step_task on task_step (task_id, id);
select enable_tenant_rls('task_step', true);
revoke update, delete, truncate on task_step from saddle_app, saddle_system;

-- What the platform looks for in an area, in its versions: the newest one is in force.
create table task_rule_version (
  id bigint generated always as identity primary key,
  agent_id bigint not null,
  area_id bigint not null,
  version integer not null check (version >= 1),
  rules jsonb not null check (jsonb_typeof(rules) = 'array' and jsonb_array_length(rules) <= 20),
  note text not null default '' check (char_length(note) <= 200),
  author_id bigint,
  author_name text not null check (char_length(author_name) between 1 and 40),
  created_at timestamptz not null,
  unique (area_id, version),
  foreign key (area_id, agent_id) references service_area (id, agent_id) on delete cascade
);
select enable_tenant_rls('task_rule_version', true);
revoke update, truncate on task_rule_version from saddle_app, saddle_system;

-- What riders and inspectors say is broken; a rule makes a repair of it.
create table fault_report (
  id bigint generated always as identity primary key,
  vehicle_id bigint not null references vehicle (id),
  agent_id bigint not null,
  area_id bigint not null,
  source text not null check (source in ('rider', 'inspection')),
  reason text not null check (char_length(reason) between 1 and 40),
  note text not null default '' check (char_length(note) <= 200),
  reported_at timestamptz not null,
  -- The repair that settled it.
  settled_at timestamptz,
  task_id bigint,
  check (settled_at >= reported_at)
);
create index fault_report_open on fault_report (vehicle_id) where settled_at is null;
create index fault_report_area on fault_report (area_id, id desc);
select enable_tenant_rls('fault_report', true);

-- Areas of field work: how soon each kind is to be done there, and who works there.
create table work_area (
  area_id bigint primary key,
  agent_id bigint not null,
  -- Minutes by kind.
  targets jsonb not null check (jsonb_typeof(targets) = 'object'),
  version integer not null default 1 check (version >= 1),
  changed_at timestamptz not null,
  foreign key (area_id, agent_id) references service_area (id, agent_id) on delete cascade
);
select enable_tenant_rls('work_area', true);

create table work_area_person (
  area_id bigint not null,
  agent_id bigint not null,
  operator_id bigint not null,
  kinds text[] not null check (cardinality(kinds) between 1 and 6),
  primary key (area_id, operator_id),
  foreign key (area_id, agent_id) references service_area (id, agent_id) on delete cascade,
  foreign key (operator_id) references operator (id) on delete cascade
);
select enable_tenant_rls('work_area_person', true);

-- Why vehicles are repaired, what is built in, and what the work pays.
create table fix_reason (
  id bigint generated always as identity primary key,
  agent_id bigint not null references agent (id),
  name text not null check (char_length(name) between 1 and 40),
  -- Riders may choose it when they report.
  for_riders boolean not null default true,
  position integer not null default 0,
  version integer not null default 1 check (version >= 1),
  unique (agent_id, name)
);
select enable_tenant_rls('fix_reason', false);

create table repair_part (
  id bigint generated always as identity primary key,
  agent_id bigint not null references agent (id),
  name text not null check (char_length(name) between 1 and 40),
  unit text not null check (char_length(unit) between 1 and 8),
  price_cents integer not null check (price_cents between 0 and 100000000),
  stock integer not null default 0,
  -- Below this it is time to order.
  stock_low integer not null default 0 check (stock_low >= 0),
  version integer not null default 1 check (version >= 1),
  removed_at timestamptz
);
create unique index repair_part_name on repair_part (agent_id, name) where removed_at is null;
select enable_tenant_rls('repair_part', false);

-- The stock of a part is the sum of its movements.
create table repair_part_movement (
  id bigint generated always as identity primary key,
  part_id bigint not null references repair_part (id),
  agent_id bigint not null,
  pieces integer not null check (pieces <> 0),
  -- At the price of that day.
  cents integer not null default 0,
  task_id bigint references task (id),
  at timestamptz not null,
  operator_name text not null check (char_length(operator_name) between 1 and 40),
  note text not null default '' check (char_length(note) <= 200)
);
create index repair_part_movement_part on repair_part_movement (part_id, id desc);
create index repair_part_movement_task on repair_part_movement (task_id) where task_id is not null;
select enable_tenant_rls('repair_part_movement', false);
revoke update, delete, truncate on repair_part_movement from saddle_app, saddle_system;

create table task_pay (
  agent_id bigint not null references agent (id),
  kind text not null check (kind in ('battery_swap', 'move', 'repair', 'inspect', 'retrieve', 'relocate')),
  cents integer not null check (cents between 0 and 1000000),
  -- Whether somebody has to look at the work before it is paid.
  reviewed boolean not null default false,
  primary key (agent_id, kind)
);
select enable_tenant_rls('task_pay', false);

-- New parking places that somebody in the field asks for.
create table park_application (
  id bigint generated always as identity primary key,
  agent_id bigint not null,
  area_id bigint not null,
  name text not null check (char_length(name) between 1 and 80),
  lat double precision not null check (lat between -90 and 90),
  lng double precision not null check (lng between -180 and 180),
  radius_m real not null check (radius_m between 3 and 200),
  capacity integer not null check (capacity between 1 and 1000),
  reason text not null check (char_length(reason) between 1 and 200),
  photo_ids text[] not null default '{}' check (cardinality(photo_ids) <= 3),
  state text not null default 'waiting' check (state in ('waiting', 'approved', 'rejected', 'withdrawn')),
  applicant_id bigint not null,
  applicant_name text not null check (char_length(applicant_name) between 1 and 40),
  applied_at timestamptz not null,
  decided_at timestamptz,
  decided_by text check (char_length(decided_by) between 1 and 40),
  note text not null default '' check (char_length(note) <= 200),
  -- The place that it became.
  fence_id bigint,
  foreign key (area_id, agent_id) references service_area (id, agent_id) on delete cascade,
  check ((state = 'waiting') = (decided_at is null)),
  check (fence_id is null or state = 'approved')
);
create index park_application_area on park_application (area_id, id desc);
select enable_tenant_rls('park_application', true);
