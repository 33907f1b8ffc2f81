-- The same as `holdoutBucket` of the contract, for large sets. The second constant is 2221713035 - 2^32: a product of 32 and
-- 31 bits fits into 64, and its lower 32 bits are those that count.
create function holdout_bucket(key bigint, rider bigint) returns integer language plpgsql immutable strict parallel safe
set search_path = pg_catalog as $$
declare
  v bigint := key # (rider & 4294967295);
begin
  v := ((v # (v >> 16)) * 2146121005) & 4294967295;
  v := ((v # (v >> 15)) * -2073254261) & 4294967295;
  v := (v # (v >> 16)) # (rider >> 32);
  v := ((v # (v >> 16)) * 2146121005) & 4294967295;
  v := ((v # (v >> 15)) * -2073254261) & 4294967295;
  return (v # (v >> 16)) % 10000;
end
$$;
comment on function holdout_bucket(bigint, bigint) is
  'Bucket of a rider, 0 to 9999, by the key of an activity, a campaign or a control group; as the contract computes it.';

create table marketing_control (
  agent_id bigint primary key references agent (id),
  percent smallint not null check (percent between 0 and 50),
  changed_at timestamptz not null,
  changed_by_id bigint,
  changed_by text not null check (char_length(changed_by) between 1 and 40)
);
comment on table marketing_control is
  'Share of a company''s riders that no activity and no campaign reaches, so that their effect together can be seen.';
select enable_tenant_rls('marketing_control', false);
revoke delete, truncate on marketing_control from saddle_app, saddle_system;
