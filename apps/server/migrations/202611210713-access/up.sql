-- What somebody may do has changed: each server reads the new rows twice a second and forgets what it remembers.
-- `xid` and not `id` says what is new: a transaction that began earlier may commit later.
create table access_change (
  id bigint generated always as identity primary key,
  xid xid8 not null default pg_current_xact_id(),
  kind text not null check (kind in ('operator', 'role', 'agent', 'area', 'session')),
  subject_id bigint not null,
  at timestamptz not null default now()
);
create index access_change_xid on access_change (xid);
create index access_change_at on access_change (at);
-- A request may say that something changed; what others change is not its business.
revoke all on access_change from saddle_app, saddle_system;
grant insert (kind, subject_id) on access_change to saddle_app, saddle_system;
grant select, delete on access_change to saddle_system;

-- A browser asks for approval, and somebody decides. `approved` alone says what holds now.
alter table operator_device add column requested_at timestamptz;
alter table operator_device add column decided_at timestamptz;
-- A name and no reference: the decision outlives who made it.
alter table operator_device add column decided_by text check (char_length(decided_by) between 1 and 40);
alter table operator_device add constraint operator_device_decided_check
  check (not approved or requested_at is null);
create index operator_device_requests on operator_device (agent_id, requested_at desc) where requested_at is not null;

alter table session add column device_id bigint references operator_device (id) on delete set null;
create index session_device_id on session (device_id) where revoked_at is null;
-- When the second factor was shown; null: not yet, which matters only where there is or has to be one.
alter table session add column second_factor_at timestamptz;

-- A person's own settings. The second factor's secret stands elsewhere, out of reach of requests.
alter table operator add column language text not null default 'zh' check (language in ('zh', 'en'));
alter table operator add column notices text[] not null
  default array['alarms', 'tasks', 'approvals', 'finance', 'security'] check (cardinality(notices) <= 20);
alter table operator add column totp_enabled_at timestamptz;

create table operator_totp (
  operator_id bigint primary key references operator (id) on delete cascade,
  secret_sealed text not null,
  -- Null until the first code has been shown; an unconfirmed secret expires.
  enabled_at timestamptz,
  begun_at timestamptz not null,
  -- The last time step of which a code was taken: none is taken twice.
  last_step bigint not null default 0,
  failures smallint not null default 0,
  failures_since timestamptz
);
create table operator_recovery_code (
  operator_id bigint not null references operator_totp (operator_id) on delete cascade,
  code_hash text not null,
  used_at timestamptz,
  primary key (operator_id, code_hash)
);
revoke all on operator_totp, operator_recovery_code from saddle_app;
