-- The time is hashed as a number: its text depends on the time zone of the connection.
create function audit_hash(line audit_record) returns bytea language sql stable
return sha256(line.prev_hash || convert_to((jsonb_build_array(
  line.agent_id, line.sequence, trunc(extract(epoch from line.at) * 1000000), line.operator_id, line.action,
  line.subject_kind, line.subject_id, line.before, line.after, line.address, line.request_id
) || case when line.area_id is null then '[]' else jsonb_build_array(line.area_id) end)::text, 'UTF8'));

-- Of the line before, the trigger needs two short columns and none of what the act has changed.
create function audit_record_link() returns trigger language plpgsql
as $$
declare
  last_sequence bigint;
  last_hash bytea;
begin
  perform pg_advisory_xact_lock(hashtextextended('audit_record', new.agent_id));
  select sequence, hash into last_sequence, last_hash
  from audit_record where agent_id = new.agent_id order by sequence desc limit 1;
  new.sequence := coalesce(last_sequence, 0) + 1;
  new.prev_hash := coalesce(last_hash, '\x'::bytea);
  new.hash := audit_hash(new);
  return new;
end
$$;
create trigger link before insert on audit_record for each row execute function audit_record_link();

create function audit_record_refuse() returns trigger language plpgsql
as $$
begin
  raise exception 'audit lines are never changed or removed' using errcode = 'insufficient_privilege';
end
$$;
create trigger refuse_change before update or delete on audit_record for each row execute function audit_record_refuse();
create trigger refuse_truncate before truncate on audit_record for each statement execute function audit_record_refuse();
create trigger refuse_change before update or delete on audit_mention for each row execute function audit_record_refuse();
create trigger refuse_truncate before truncate on audit_mention for each statement execute function audit_record_refuse();
create trigger refuse_change before update or delete on audit_anchor for each row execute function audit_record_refuse();
create trigger refuse_truncate before truncate on audit_anchor for each statement execute function audit_record_refuse();
