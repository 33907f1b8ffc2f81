-- What a rider rode in the last days, for each span that segments offer: the sums over the days of rider_day after
-- spans_day less the span. They hold from spans_day to the day before spans_until, on which the first day leaves a span; from infinity to -infinity they are yet to be made.
alter table rider_use
  add rides_7 integer not null default 0 check (rides_7 >= 0),
  add cents_7 bigint not null default 0 check (cents_7 >= 0),
  add rides_30 integer not null default 0 check (rides_30 >= 0),
  add cents_30 bigint not null default 0 check (cents_30 >= 0),
  add rides_90 integer not null default 0 check (rides_90 >= 0),
  add cents_90 bigint not null default 0 check (cents_90 >= 0),
  add rides_180 integer not null default 0 check (rides_180 >= 0),
  add cents_180 bigint not null default 0 check (cents_180 >= 0),
  add rides_365 integer not null default 0 check (rides_365 >= 0),
  add cents_365 bigint not null default 0 check (cents_365 >= 0),
  add spans_day date not null default 'infinity',
  add spans_until date not null default '-infinity';

create or replace function count_rides_made() returns trigger language plpgsql as $$
begin
  insert into rider_day as d (rider_id, agent_id, day, last_area_id, rides, cents)
  select m.rider_id, m.agent_id, (m.ended_at at time zone 'Asia/Shanghai')::date,
    (array_agg(m.area_id order by m.ended_at desc))[1], count(*), sum(m.charged_cents - m.refunded_cents)
  from made m where m.charged_cents is not null group by 1, 2, 3 order by 1, 3
  on conflict (rider_id, day) do update set last_area_id = excluded.last_area_id, rides = d.rides + excluded.rides,
    cents = d.cents + excluded.cents;
  -- Orders of many days at once: a job adds up their spans.
  insert into rider_use as u (rider_id, agent_id, last_ride_at, last_area_id, rides, cents)
  select m.rider_id, m.agent_id, max(m.ended_at), (array_agg(m.area_id order by m.ended_at desc))[1], count(*),
    sum(m.charged_cents - m.refunded_cents)
  from made m where m.charged_cents is not null group by 1, 2 order by 1
  on conflict (rider_id) do update set rides = u.rides + excluded.rides, cents = u.cents + excluded.cents,
    last_area_id = case when excluded.last_ride_at >= u.last_ride_at then excluded.last_area_id else u.last_area_id end,
    last_ride_at = greatest(u.last_ride_at, excluded.last_ride_at), spans_day = 'infinity', spans_until = '-infinity';
  return null;
end
$$;
create or replace function count_ride_changed() returns trigger language plpgsql as $$
declare
  v_day date := (new.ended_at at time zone 'Asia/Shanghai')::date;
  more_rides integer := case when old.charged_cents is null then 1 else 0 end;
  more_cents bigint := new.charged_cents - new.refunded_cents - coalesce(old.charged_cents - old.refunded_cents, 0);
begin
  insert into rider_day as d (rider_id, agent_id, day, last_area_id, rides, cents)
  values (new.rider_id, new.agent_id, v_day, new.area_id, more_rides, greatest(more_cents, 0))
  on conflict (rider_id, day) do update set rides = d.rides + more_rides, cents = d.cents + more_cents,
    last_area_id = case when more_rides > 0 then excluded.last_area_id else d.last_area_id end;
  insert into rider_use as u (rider_id, agent_id, last_ride_at, last_area_id, rides, cents,
    rides_7, cents_7, rides_30, cents_30, rides_90, cents_90, rides_180, cents_180, rides_365, cents_365, spans_day,
    spans_until)
  values (new.rider_id, new.agent_id, new.ended_at, new.area_id, more_rides, greatest(more_cents, 0),
    more_rides, greatest(more_cents, 0), more_rides, greatest(more_cents, 0), more_rides, greatest(more_cents, 0),
    more_rides, greatest(more_cents, 0), more_rides, greatest(more_cents, 0), v_day, v_day + 7)
  on conflict (rider_id) do update set rides = u.rides + more_rides, cents = u.cents + more_cents,
    last_area_id = case when new.ended_at >= u.last_ride_at then excluded.last_area_id else u.last_area_id end,
    last_ride_at = greatest(u.last_ride_at, excluded.last_ride_at),
    rides_7 = u.rides_7 + case when v_day > u.spans_day - 7 then more_rides else 0 end,
    cents_7 = u.cents_7 + case when v_day > u.spans_day - 7 then more_cents else 0 end,
    rides_30 = u.rides_30 + case when v_day > u.spans_day - 30 then more_rides else 0 end,
    cents_30 = u.cents_30 + case when v_day > u.spans_day - 30 then more_cents else 0 end,
    rides_90 = u.rides_90 + case when v_day > u.spans_day - 90 then more_rides else 0 end,
    cents_90 = u.cents_90 + case when v_day > u.spans_day - 90 then more_cents else 0 end,
    rides_180 = u.rides_180 + case when v_day > u.spans_day - 180 then more_rides else 0 end,
    cents_180 = u.cents_180 + case when v_day > u.spans_day - 180 then more_cents else 0 end,
    rides_365 = u.rides_365 + case when v_day > u.spans_day - 365 then more_rides else 0 end,
    cents_365 = u.cents_365 + case when v_day > u.spans_day - 365 then more_cents else 0 end,
    spans_until = least(u.spans_until, case
      when v_day > u.spans_day - 7 then v_day + 7
      when v_day > u.spans_day - 30 then v_day + 30
      when v_day > u.spans_day - 90 then v_day + 90
      when v_day > u.spans_day - 180 then v_day + 180
      when v_day > u.spans_day - 365 then v_day + 365 end);
  return null;
end
$$;

create function make_spans_of_riders(rider_ids bigint[], today date) returns void language sql as $$
  update rider_use u set spans_day = today, spans_until = s.until,
    rides_7 = s.rides_7, cents_7 = s.cents_7,
    rides_30 = s.rides_30, cents_30 = s.cents_30,
    rides_90 = s.rides_90, cents_90 = s.cents_90,
    rides_180 = s.rides_180, cents_180 = s.cents_180,
    rides_365 = s.rides_365, cents_365 = s.cents_365
  from (
    select i.id, coalesce(min(case
        when d.day > today - 7 then d.day + 7
        when d.day > today - 30 then d.day + 30
        when d.day > today - 90 then d.day + 90
        when d.day > today - 180 then d.day + 180
        when d.day > today - 365 then d.day + 365 end), 'infinity') as until,
      coalesce(sum(d.rides) filter (where d.day > today - 7), 0) as rides_7,
      coalesce(sum(d.cents) filter (where d.day > today - 7), 0) as cents_7,
      coalesce(sum(d.rides) filter (where d.day > today - 30), 0) as rides_30,
      coalesce(sum(d.cents) filter (where d.day > today - 30), 0) as cents_30,
      coalesce(sum(d.rides) filter (where d.day > today - 90), 0) as rides_90,
      coalesce(sum(d.cents) filter (where d.day > today - 90), 0) as cents_90,
      coalesce(sum(d.rides) filter (where d.day > today - 180), 0) as rides_180,
      coalesce(sum(d.cents) filter (where d.day > today - 180), 0) as cents_180,
      coalesce(sum(d.rides) filter (where d.day > today - 365), 0) as rides_365,
      coalesce(sum(d.cents) filter (where d.day > today - 365), 0) as cents_365
    from unnest(rider_ids) i (id) left join rider_day d on d.rider_id = i.id and d.day > today - 365
    group by i.id
  ) s where s.id = u.rider_id
$$;
comment on function make_spans_of_riders is 'Makes the sums of riders anew from their days. The caller has locked their rows of rider_use.';
revoke execute on function make_spans_of_riders from public, saddle_app;
grant execute on function make_spans_of_riders to saddle_system;

create function rides_since(of_rider bigint, since date) returns bigint language plpgsql stable parallel safe as $$
begin
  return (select coalesce(sum(d.rides), 0) from rider_day d where d.rider_id = of_rider and d.day > since);
end
$$;
comment on function rides_since is 'Rides of a rider after a day. A correlated subquery would keep a count of segments from running in parallel.';
create function cents_since(of_rider bigint, since date) returns bigint language plpgsql stable parallel safe as $$
begin
  return (select coalesce(sum(d.cents), 0) from rider_day d where d.rider_id = of_rider and d.day > since);
end
$$;
comment on function cents_since is 'Money of a rider after a day. A correlated subquery would keep a count of segments from running in parallel.';

-- Versions are never changed but by this step.
grant update (terms) on segment_version to saddle_system;
set local role saddle_system;
select make_spans_of_riders(array(select rider_id from rider_use), (now() at time zone 'Asia/Shanghai')::date);
update segment_version set terms = terms || jsonb_build_object(
  'ridesDays', (select min(o) from unnest(array[7, 30, 90, 180, 365]) o where o >= (terms ->> 'ridesDays')::integer),
  'spentDays', (select min(o) from unnest(array[7, 30, 90, 180, 365]) o where o >= (terms ->> 'spentDays')::integer));
reset role;
revoke update (terms) on segment_version from saddle_system;
