create table notice (
  id bigint generated always as identity (start with 1001) primary key,
  -- The company that it is about.
  agent_id bigint not null references agent (id),
  area_id bigint,
  event text not null check (event ~ '^[a-z_]{3,40}$'),
  -- Of the thing that it is about, for what was told of it before.
  subject text not null check (char_length(subject) between 1 and 80),
  -- One cause is told of once.
  key text not null check (char_length(key) between 1 and 120),
  "values" jsonb not null check (jsonb_typeof("values") = 'object'),
  -- The page that it leads to.
  path text not null check (path ~ '^/' and char_length(path) <= 300),
  -- Narrows who hears of it: these people, or holders of one of these codes.
  operator_ids bigint[] check (cardinality(operator_ids) between 1 and 200),
  codes text[] check (cardinality(codes) between 1 and 20),
  at timestamptz not null,
  spread_at timestamptz,
  unique (agent_id, event, key)
);
comment on table notice is 'Something that staff are told of, written in the transaction of its cause.';
create index notice_waiting on notice (id) where spread_at is null;
create index notice_by_event on notice (agent_id, event, id desc);
create index notice_by_subject on notice (agent_id, event, subject, at);
create index notice_old on notice (at);
select enable_tenant_rls('notice', false);

create table notice_delivery (
  id bigint generated always as identity (start with 1001) primary key,
  notice_id bigint not null references notice (id) on delete cascade,
  -- Of the receiver.
  agent_id bigint not null,
  -- Null: to the address of the company.
  operator_id bigint,
  operator_name text not null check (char_length(operator_name) <= 40),
  event text not null check (event ~ '^[a-z_]{3,40}$'),
  subject text not null,
  channel text not null check (channel in ('in_app', 'email', 'sms', 'push', 'webhook')),
  language text not null check (language in ('zh', 'en')),
  title text not null check (char_length(title) <= 200),
  body text not null check (char_length(body) <= 2000),
  path text not null check (char_length(path) <= 300),
  -- Null: the text of the platform.
  template_id bigint,
  state text not null check (state in ('queued', 'sending', 'sent', 'failed', 'suppressed')),
  reason text check (reason in
    ('quiet_hours', 'cap', 'repeated', 'no_address', 'not_configured', 'refused', 'no_answer')),
  attempts smallint not null default 0 check (attempts between 0 and 20),
  next_at timestamptz,
  lease_until timestamptz,
  created_at timestamptz not null,
  sent_at timestamptz,
  read_at timestamptz,
  constraint notice_delivery_person foreign key (operator_id, agent_id) references operator (id, agent_id),
  constraint notice_delivery_waiting check ((next_at is not null) = (state = 'queued')),
  constraint notice_delivery_lease check ((lease_until is not null) = (state = 'sending')),
  constraint notice_delivery_sent check ((sent_at is not null) = (state = 'sent')),
  constraint notice_delivery_read check (read_at is null or channel = 'in_app'),
  constraint notice_delivery_whom check ((operator_id is null) = (channel = 'webhook'))
);
comment on table notice_delivery is 'A notice on its way to one receiver by one channel: the inbox of a person and the delivery log.';
create unique index notice_delivery_once on notice_delivery (notice_id, channel, agent_id, coalesce(operator_id, 0));
create index notice_delivery_by_agent on notice_delivery (agent_id, created_at desc, id desc);
create index notice_delivery_by_person on notice_delivery (operator_id, channel, created_at desc, id desc);
create index notice_delivery_unread on notice_delivery (operator_id) where channel = 'in_app' and read_at is null;
create index notice_delivery_queue on notice_delivery (next_at, id) where state = 'queued';
create index notice_delivery_leased on notice_delivery (lease_until) where state = 'sending';
select enable_tenant_rls('notice_delivery', false);

create table notice_rule (
  agent_id bigint not null references agent (id),
  event text not null check (event ~ '^[a-z_]{3,40}$'),
  channels text[] not null
    check (channels <@ array['in_app', 'email', 'sms', 'push', 'webhook'] and cardinality(channels) <= 5),
  -- Null: every role that holds the permission.
  role_ids bigint[] check (cardinality(role_ids) between 1 and 50),
  is_urgent boolean not null,
  -- The same of the same thing is not told again within so long, but in the inbox.
  repeat_minutes integer not null check (repeat_minutes between 0 and 10080),
  version integer not null default 1 check (version > 0),
  changed_at timestamptz not null,
  changed_by_id bigint,
  changed_by text not null check (char_length(changed_by) between 1 and 40),
  primary key (agent_id, event)
);
comment on table notice_rule is 'What a company and those below it tell their staff of, and how; without one the company above or the platform decides.';
select enable_tenant_rls('notice_rule', false);

create table notice_setting (
  agent_id bigint primary key references agent (id),
  -- Minutes of the business day; equal: none.
  quiet_from smallint not null check (quiet_from between 0 and 1439),
  quiet_to smallint not null check (quiet_to between 0 and 1439),
  email_cap smallint not null check (email_cap between 0 and 1000),
  sms_cap smallint not null check (sms_cap between 0 and 100),
  push_cap smallint not null check (push_cap between 0 and 1000),
  webhook_sealed text,
  version integer not null default 1 check (version > 0),
  changed_at timestamptz not null,
  changed_by_id bigint,
  changed_by text not null check (char_length(changed_by) between 1 and 40)
);
comment on table notice_setting is 'Quiet hours and caps of a company''s notices, and the address that its systems are told at.';
select enable_tenant_rls('notice_setting', false);

create table notice_template (
  id bigint generated always as identity (start with 1001) primary key,
  agent_id bigint not null references agent (id),
  event text not null check (event ~ '^[a-z_]{3,40}$'),
  channel text not null check (channel in ('in_app', 'email', 'sms', 'push', 'webhook')),
  language text not null check (language in ('zh', 'en')),
  version integer not null check (version > 0),
  -- Null: back to the text of the company above or the platform.
  title text check (char_length(title) between 1 and 80),
  body text check (char_length(body) between 1 and 500),
  made_at timestamptz not null,
  made_by_id bigint,
  made_by text not null check (char_length(made_by) between 1 and 40),
  unique (agent_id, event, channel, language, version),
  constraint notice_template_text check ((title is null) = (body is null))
);
comment on table notice_template is 'Version of the text of a notice by event, channel and language; the latest one counts.';
select enable_tenant_rls('notice_template', false);
revoke update, delete, truncate on notice_template from saddle_app, saddle_system;

create table notice_address (
  operator_id bigint primary key,
  agent_id bigint not null,
  -- Null: none is confirmed.
  email_sealed text,
  -- Address, code and end of one that waits for its code.
  pending_sealed text,
  guesses smallint not null default 0 check (guesses between 0 and 10),
  asked_at timestamptz not null,
  confirmed_at timestamptz,
  constraint notice_address_person foreign key (operator_id, agent_id) references operator (id, agent_id) on delete cascade,
  constraint notice_address_confirmed check ((email_sealed is null) = (confirmed_at is null))
);
comment on table notice_address is 'E-mail address at which a person is told, confirmed by a code.';
create index notice_address_by_agent on notice_address (agent_id);
select enable_tenant_rls('notice_address', false);

set local role saddle_system;
update operator set notices = notices || array['marketing', 'reports', 'support']::text[]
where not notices && array['marketing', 'reports', 'support']::text[];
reset role;
alter table operator alter column notices set default
  array['alarms', 'tasks', 'approvals', 'finance', 'marketing', 'reports', 'support', 'security'];
