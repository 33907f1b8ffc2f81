-- Who did what to what. Lines are only ever added; each carries the hash of the one before it within its tenant, so
-- that a line that was changed, taken out or put in later is found by a check of the chain.
create table audit_record (
  id bigint generated always as identity primary key,
  agent_id bigint not null references agent (id),
  -- Set by the trigger below, like both hashes: the defaults never reach the table.
  sequence bigint not null default 0 check (sequence > 0),
  at timestamptz not null,
  -- No reference: lines outlive operators, and some acts have none (a failed login, a job).
  operator_id bigint,
  action text not null check (action ~ '^[a-z][a-z0-9_.]{2,60}$'),
  subject_kind text not null check (char_length(subject_kind) between 1 and 40),
  subject_id text not null check (char_length(subject_id) <= 80),
  before jsonb,
  after jsonb,
  address text,
  request_id text,
  prev_hash bytea not null default '\x',
  hash bytea not null default '\x' check (length(hash) = 32),
  -- Where it happened, for people who may see some service areas and not others; null where it belongs to the company as
  -- a whole. Lines that were written before keep their hash: it covers the area only where there is one.
  area_id bigint,
  unique (agent_id, sequence)
);
comment on table audit_record is 'Who did what to which subject; append-only, chained by hash within each company.';
create index audit_record_time on audit_record (agent_id, at, id) include (area_id);
create index audit_record_kind on audit_record (agent_id, subject_kind, at, id) include (area_id);
create index audit_record_action on audit_record (agent_id, action, at, id) include (area_id);
create index audit_record_operator on audit_record (operator_id, at, id) include (agent_id, area_id);
create index audit_record_subject on audit_record (subject_kind, subject_id, at, id) include (agent_id, area_id);
create index audit_record_newest on audit_record (at, id) include (agent_id, area_id);
-- Of hundreds of companies the newest lines of an act or a kind of thing are found over all companies at once too.
create index audit_record_newest_action on audit_record (action, at, id) include (agent_id, area_id);
create index audit_record_newest_kind on audit_record (subject_kind, at, id) include (agent_id, area_id);
select enable_tenant_rls('audit_record', false);
-- Nobody may change or remove lines, and what makes the chain is not for the writer to say.
revoke all on audit_record from saddle_app, saddle_system;
grant select on audit_record to saddle_app, saddle_system;
grant insert (agent_id, at, operator_id, action, subject_kind, subject_id, before, after, address, request_id, area_id)
  on audit_record to saddle_app, saddle_system;

create table audit_mention (
  line_id bigint not null references audit_record (id),
  agent_id bigint not null,
  subject_kind text not null check (char_length(subject_kind) between 1 and 40),
  subject_id text not null check (char_length(subject_id) <= 80),
  at timestamptz not null,
  primary key (subject_kind, subject_id, at, line_id) include (agent_id)
);
comment on table audit_mention is
  'Further subjects of an audit record, such as the vehicles of one command to many.';
select enable_tenant_rls('audit_mention', false);
revoke all on audit_mention from saddle_app, saddle_system;
grant select, insert on audit_mention to saddle_app, saddle_system;

create table audit_anchor (
  agent_id bigint not null references agent (id),
  sequence bigint not null check (sequence > 0),
  hash bytea not null check (length(hash) = 32),
  made_at timestamptz not null,
  primary key (agent_id, sequence)
);
comment on table audit_anchor is
  'End of a hash chain at a time, so that a chain that was cut off or rewritten is noticed.';
select enable_tenant_rls('audit_anchor', false);
revoke all on audit_anchor from saddle_app, saddle_system;
grant select on audit_anchor to saddle_app, saddle_system;
grant insert on audit_anchor to saddle_system;

-- A search over thousands of companies looks at a hundred thousand keys. `= any (array)` goes through the array for
-- each of them; a sub-select is hashed once.
alter policy tenant on audit_record
  using (agent_id in (select unnest(app_agent_ids()))) with check (agent_id in (select unnest(app_agent_ids())));
alter policy tenant on audit_mention
  using (agent_id in (select unnest(app_agent_ids()))) with check (agent_id in (select unnest(app_agent_ids())));
