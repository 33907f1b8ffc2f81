-- Who did what to what. Lines are only ever added; each carries the hash of the one before it within its tenant, so
-- that a line that was changed, taken out or put in later is found by `audit_first_break`.
create table audit_line (
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
  unique (agent_id, sequence)
);
create index audit_line_time on audit_line (agent_id, at desc);
create index audit_line_subject on audit_line (agent_id, subject_kind, subject_id, sequence desc);
create index audit_line_operator on audit_line (agent_id, operator_id, sequence desc);
select enable_tenant_rls('audit_line', false);

-- Nobody may change or remove lines, and what makes the chain is not for the writer to say.
revoke all on audit_line from saddle_app, saddle_system;
grant select on audit_line to saddle_app, saddle_system;
grant insert (agent_id, at, operator_id, action, subject_kind, subject_id, before, after, address, request_id)
  on audit_line to saddle_app, saddle_system;

-- The time is hashed as a number: its text depends on the time zone of the connection.
create function audit_hash(line audit_line) returns bytea language sql stable
return sha256(line.prev_hash || convert_to(jsonb_build_array(
  line.agent_id, line.sequence, trunc(extract(epoch from line.at) * 1000000), line.operator_id, line.action,
  line.subject_kind, line.subject_id, line.before, line.after, line.address, line.request_id
)::text, 'UTF8'));

-- Writers of one tenant take turns until their commit; the line before is read after the lock is held, and a
-- transaction with an older snapshot runs into the unique key instead of forking the chain.
create function audit_line_link() returns trigger language plpgsql
as $$
declare
  last_line audit_line;
begin
  perform pg_advisory_xact_lock(hashtextextended('audit_line', new.agent_id));
  select * into last_line from audit_line where agent_id = new.agent_id order by sequence desc limit 1;
  new.sequence := coalesce(last_line.sequence, 0) + 1;
  new.prev_hash := coalesce(last_line.hash, '\x'::bytea);
  new.hash := audit_hash(new);
  return new;
end
$$;
create trigger link before insert on audit_line for each row execute function audit_line_link();

create function audit_line_refuse() returns trigger language plpgsql
as $$
begin
  raise exception 'audit lines are never changed or removed' using errcode = 'insufficient_privilege';
end
$$;
create trigger refuse_change before update or delete on audit_line for each row execute function audit_line_refuse();
create trigger refuse_truncate before truncate on audit_line for each statement execute function audit_line_refuse();

-- The sequence at which the chain of a tenant first fails to fit; null when all of it fits. Lines cut off the end are
-- not seen by this: compare with a sequence and hash that were kept elsewhere.
create function audit_first_break(tenant bigint) returns bigint language sql stable
begin atomic
  select min(checked.expected)
  from (
    select
      row_number() over (order by line.sequence) as expected,
      line.sequence,
      line.prev_hash = lag(line.hash, 1, '\x'::bytea) over (order by line.sequence) as follows,
      line.hash = audit_hash(line) as sound
    from audit_line line
    where line.agent_id = tenant
  ) checked
  where checked.sequence <> checked.expected or not checked.follows or not checked.sound;
end;
