-- Where it happened, for people who may see some service areas and not others; null where it belongs to the company as
-- a whole. Lines that were written before keep their hash: it covers the area only where there is one.
alter table audit_line add column area_id bigint;
grant insert (area_id) on audit_line to saddle_app, saddle_system;

create or replace function audit_hash(line audit_line) returns bytea language sql stable
return sha256(line.prev_hash || convert_to((jsonb_build_array(
  line.agent_id, line.sequence, trunc(extract(epoch from line.at) * 1000000), line.operator_id, line.action,
  line.subject_kind, line.subject_id, line.before, line.after, line.address, line.request_id
) || case when line.area_id is null then '[]' else jsonb_build_array(line.area_id) end)::text, 'UTF8'));

-- Chains are checked part by part by the server and by `npm run audit:verify`, with a statement of their own: a function
-- of the database is in the hands of whoever tampers with it.
drop function audit_first_break(bigint);

-- Of the line before, the trigger needs two short columns and none of what the act has changed.
create or replace function audit_line_link() returns trigger language plpgsql
as $$
declare
  last_sequence bigint;
  last_hash bytea;
begin
  perform pg_advisory_xact_lock(hashtextextended('audit_line', new.agent_id));
  select sequence, hash into last_sequence, last_hash
  from audit_line where agent_id = new.agent_id order by sequence desc limit 1;
  new.sequence := coalesce(last_sequence, 0) + 1;
  new.prev_hash := coalesce(last_hash, '\x'::bytea);
  new.hash := audit_hash(new);
  return new;
end
$$;

-- Every search is some equalities and then the newest first: the newest lines of a company, and within it those by a
-- person, about a thing, about a kind of thing, of an action. The area stands beside the key, so that a page is found
-- without a look at the table.
drop index audit_line_time, audit_line_subject, audit_line_operator;
create index audit_line_time on audit_line (agent_id, at, id) include (area_id);
create index audit_line_operator on audit_line (agent_id, operator_id, at, id) include (area_id);
create index audit_line_subject on audit_line (agent_id, subject_kind, subject_id, at, id) include (area_id);
create index audit_line_kind on audit_line (agent_id, subject_kind, at, id) include (area_id);
create index audit_line_action on audit_line (agent_id, action, at, id) include (area_id);

-- The other things that a line speaks of: the vehicles of one command to many, the tickets that were closed together.
create table audit_mention (
  line_id bigint not null references audit_line (id),
  agent_id bigint not null,
  subject_kind text not null check (char_length(subject_kind) between 1 and 40),
  subject_id text not null check (char_length(subject_id) <= 80),
  at timestamptz not null,
  primary key (agent_id, subject_kind, subject_id, at, line_id)
);
select enable_tenant_rls('audit_mention', false);
revoke all on audit_mention from saddle_app, saddle_system;
grant select, insert on audit_mention to saddle_app, saddle_system;
create trigger refuse_change before update or delete on audit_mention for each row execute function audit_line_refuse();
create trigger refuse_truncate before truncate on audit_mention for each statement execute function audit_line_refuse();

-- What the end of a chain was at a time: a chain whose end was cut off, or that was written anew, does not hold it.
create table audit_anchor (
  agent_id bigint not null references agent (id),
  sequence bigint not null check (sequence > 0),
  hash bytea not null check (length(hash) = 32),
  made_at timestamptz not null,
  primary key (agent_id, sequence)
);
select enable_tenant_rls('audit_anchor', false);
revoke all on audit_anchor from saddle_app, saddle_system;
grant select on audit_anchor to saddle_app, saddle_system;
grant insert on audit_anchor to saddle_system;
create trigger refuse_change before update or delete on audit_anchor for each row execute function audit_line_refuse();
create trigger refuse_truncate before truncate on audit_anchor for each statement execute function audit_line_refuse();
