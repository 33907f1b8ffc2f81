-- Whoever sees most areas of a company, but not all: the figures of the whole company less those of the few areas that are
-- left out. Rows of the company and of those areas are hidden from requests, so the difference is made here: of the areas that
-- are asked for and in the scope, and of nothing else.

-- Companies and areas that a caller may ask for: a request those of its scope, the system all.
create function report_reach(asked bigint[], granted bigint[]) returns bigint[] language sql stable parallel safe
  return case when current_setting('role') = 'saddle_system' then asked
    else (select coalesce(array_agg(a), '{}') from unnest(asked) a where a = any (granted)) end;
revoke execute on function report_reach(bigint[], bigint[]) from public;
grant execute on function report_reach(bigint[], bigint[]) to saddle_app, saddle_system;

create function report_ride_rest_day(agents bigint[], areas bigint[], cut_by text, first_day date, last_day date)
returns setof report_ride_company_day language sql stable security definer rows 1000 set search_path = public
begin atomic
  with reach as materialized (
    select report_reach(agents, app_agent_ids()) as agent_ids, report_reach(areas, app_area_ids()) as area_ids
  ), left_out as materialized (
    select w.agent_id, a.id from reach s join report_company w on w.agent_id = any (s.agent_ids)
    cross join unnest(w.area_ids) a (id) where a.id <> all (s.area_ids)
  )
  select f.agent_id, f.cut, f.value, f.day, sum(f.rides)::integer, sum(f.cancelled)::integer, sum(f.failed)::integer,
    sum(f.due_rides)::integer, sum(f.free_rides)::integer, sum(f.short_rides)::integer, sum(f.charged_cents)::bigint,
    sum(f.refunded_cents)::bigint, sum(f.due_cents)::bigint, sum(f.ride_seconds)::bigint, sum(f.distance_m)::bigint
  from (
    select c.agent_id, c.cut, c.value, c.day, c.rides, c.cancelled, c.failed, c.due_rides, c.free_rides, c.short_rides,
      c.charged_cents, c.refunded_cents, c.due_cents, c.ride_seconds, c.distance_m
    from reach s join report_ride_company_day c on c.agent_id = any (s.agent_ids)
    where c.cut = cut_by and c.day between first_day and last_day
    union all
    select l.agent_id, d.cut, d.value, d.day, -d.rides, -d.cancelled, -d.failed, -d.due_rides, -d.free_rides, -d.short_rides,
      -d.charged_cents, -d.refunded_cents, -d.due_cents, -d.ride_seconds, -d.distance_m
    from left_out l join report_ride_day d on d.area_id = l.id
    where d.cut = cut_by and d.day between first_day and last_day
  ) f
  group by f.agent_id, f.cut, f.value, f.day
  -- Figures are of orders that were charged, cancelled or failed: without any there is no row.
  having sum(f.rides) + sum(f.cancelled) + sum(f.failed) > 0;
end;

create function report_ride_rest_hour(agents bigint[], areas bigint[], cut_by text, first_day date, last_day date)
returns setof report_ride_company_hour language sql stable security definer rows 1000 set search_path = public
begin atomic
  with reach as materialized (
    select report_reach(agents, app_agent_ids()) as agent_ids, report_reach(areas, app_area_ids()) as area_ids
  ), left_out as materialized (
    select w.agent_id, a.id from reach s join report_company w on w.agent_id = any (s.agent_ids)
    cross join unnest(w.area_ids) a (id) where a.id <> all (s.area_ids)
  )
  select f.agent_id, f.cut, f.value, f.day, f.hour, sum(f.rides)::integer, sum(f.cancelled)::integer, sum(f.failed)::integer,
    sum(f.due_rides)::integer, sum(f.free_rides)::integer, sum(f.short_rides)::integer, sum(f.charged_cents)::bigint,
    sum(f.refunded_cents)::bigint, sum(f.due_cents)::bigint, sum(f.ride_seconds)::bigint, sum(f.distance_m)::bigint
  from (
    select c.agent_id, c.cut, c.value, c.day, c.hour, c.rides, c.cancelled, c.failed, c.due_rides, c.free_rides, c.short_rides,
      c.charged_cents, c.refunded_cents, c.due_cents, c.ride_seconds, c.distance_m
    from reach s join report_ride_company_hour c on c.agent_id = any (s.agent_ids)
    where c.cut = cut_by and c.day between first_day and last_day
    union all
    select l.agent_id, h.cut, h.value, h.day, h.hour, -h.rides, -h.cancelled, -h.failed, -h.due_rides, -h.free_rides,
      -h.short_rides, -h.charged_cents, -h.refunded_cents, -h.due_cents, -h.ride_seconds, -h.distance_m
    from left_out l join report_ride_hour h on h.area_id = l.id
    where h.cut = cut_by and h.day between first_day and last_day
  ) f
  group by f.agent_id, f.cut, f.value, f.day, f.hour
  having sum(f.rides) + sum(f.cancelled) + sum(f.failed) > 0;
end;

-- What belongs to a company and to none of its areas is asked for by `has_company`.
create index report_money_day_company on report_money_day (agent_id, account, day) where area_id is null;
create function report_money_rest_day(agents bigint[], areas bigint[], has_company boolean, of_accounts text[], first_day date,
  last_day date)
returns setof report_money_company_day language sql stable security definer rows 1000 set search_path = public
begin atomic
  with reach as materialized (
    select report_reach(agents, app_agent_ids()) as agent_ids, report_reach(areas, app_area_ids()) as area_ids
  ), left_out as materialized (
    select w.agent_id, a.id from reach s join report_company w on w.agent_id = any (s.agent_ids)
    cross join unnest(w.area_ids) a (id) where a.id <> all (s.area_ids)
  )
  select f.agent_id, f.account, f.kind, f.channel, f.card_kind, f.day, sum(f.credits)::integer, sum(f.debits)::integer,
    sum(f.credit_cents)::bigint, sum(f.debit_cents)::bigint
  from (
    select c.agent_id, c.account, c.kind, c.channel, c.card_kind, c.day, c.credits, c.debits, c.credit_cents, c.debit_cents
    from reach s join report_money_company_day c on c.agent_id = any (s.agent_ids)
    where c.account = any (of_accounts) and c.day between first_day and last_day
    union all
    select l.agent_id, d.account, d.kind, d.channel, d.card_kind, d.day, -d.credits, -d.debits, -d.credit_cents, -d.debit_cents
    from left_out l join report_money_day d on d.area_id = l.id
    where d.account = any (of_accounts) and d.day between first_day and last_day
    union all
    select d.agent_id, d.account, d.kind, d.channel, d.card_kind, d.day, -d.credits, -d.debits, -d.credit_cents, -d.debit_cents
    from reach s join report_money_day d on d.agent_id = any (s.agent_ids)
    where not has_company and d.area_id is null and d.account = any (of_accounts) and d.day between first_day and last_day
  ) f
  group by f.agent_id, f.account, f.kind, f.channel, f.card_kind, f.day
  having sum(f.credits) + sum(f.debits) > 0;
end;

create function report_fleet_rest_day(agents bigint[], areas bigint[], first_day date, last_day date)
returns setof report_fleet_company_day language sql stable security definer rows 1000 set search_path = public
begin atomic
  with reach as materialized (
    select report_reach(agents, app_agent_ids()) as agent_ids, report_reach(areas, app_area_ids()) as area_ids
  ), left_out as materialized (
    select w.agent_id, a.id from reach s join report_company w on w.agent_id = any (s.agent_ids)
    cross join unnest(w.area_ids) a (id) where a.id <> all (s.area_ids)
  )
  select f.agent_id, f.day, sum(f.vehicles)::integer, sum(f.ridden)::integer
  from (
    select c.agent_id, c.day, c.vehicles, c.ridden from reach s join report_fleet_company_day c on c.agent_id = any (s.agent_ids)
    where c.day between first_day and last_day
    union all
    select l.agent_id, d.day, -d.vehicles, -d.ridden from left_out l join fleet_day d on d.area_id = l.id
    where d.day between first_day and last_day
  ) f
  group by f.agent_id, f.day;
end;

revoke execute on function report_ride_rest_day(bigint[], bigint[], text, date, date),
  report_ride_rest_hour(bigint[], bigint[], text, date, date), report_money_rest_day(bigint[], bigint[], boolean, text[], date, date),
  report_fleet_rest_day(bigint[], bigint[], date, date) from public;
grant execute on function report_ride_rest_day(bigint[], bigint[], text, date, date),
  report_ride_rest_hour(bigint[], bigint[], text, date, date), report_money_rest_day(bigint[], bigint[], boolean, text[], date, date),
  report_fleet_rest_day(bigint[], bigint[], date, date) to saddle_app, saddle_system;
