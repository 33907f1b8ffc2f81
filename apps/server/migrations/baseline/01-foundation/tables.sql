create table migration (
  name text primary key,
  checksum text not null,
  applied_at timestamptz not null default now()
);
comment on table migration is 'Migrations that were applied to this database, each with the checksum of its files.';
revoke all on migration from saddle_app, saddle_system;
grant select on migration to saddle_system;

create table idempotency (
  agent_id bigint not null,
  operator_id bigint not null,
  endpoint text not null,
  key text not null,
  input_hash text not null,
  status text not null default 'running' check (status in ('running', 'done')),
  answer jsonb,
  created_at timestamptz not null default now(),
  primary key (agent_id, operator_id, endpoint, key),
  check ((status = 'done') = (answer is not null))
);
comment on table idempotency is
  'First answer to each write with an idempotency key, for the call that is sent again.';
create index idempotency_created_at on idempotency (created_at);
select enable_tenant_rls('idempotency', false);

create table retired_key (
  id bigint generated always as identity primary key,
  purpose text not null check (char_length(purpose) between 1 and 60),
  key_id text not null check (char_length(key_id) = 8),
  key_sealed text not null,
  kept_at timestamptz not null default now(),
  unique (purpose, key_id)
);
comment on table retired_key is
  'Key of an earlier master secret for one purpose, sealed with the present one; its id names the key and not its content.';
revoke all on retired_key from saddle_app;

create table secret_check (
  id integer primary key default 1 check (id = 1),
  digest text not null check (length(digest) between 32 and 100),
  written_at timestamptz not null
);
comment on table secret_check is 'Digest by which the server recognises the master secret of this database.';
revoke all on secret_check from saddle_app, saddle_system;
grant select, insert, update on secret_check to saddle_system;
