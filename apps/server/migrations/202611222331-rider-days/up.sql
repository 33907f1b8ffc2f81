create table rider_day (
  rider_id bigint not null,
  agent_id bigint not null references agent (id),
  -- The day of the end of the rides, in the time zone of business days.
  day date not null,
  last_area_id bigint not null,
  rides integer not null check (rides >= 0),
  -- What was charged less what was refunded of it, whenever that was.
  cents bigint not null check (cents >= 0),
  primary key (rider_id, day)
);
comment on table rider_day is 'Charged rides of a rider on a day, kept by triggers of the orders: segments and effects count them.';
create index rider_day_agent on rider_day (agent_id, day) include (rider_id, rides, cents, last_area_id);
select enable_tenant_rls('rider_day', false);
revoke delete, truncate on rider_day from saddle_app, saddle_system;

create table rider_use (
  rider_id bigint primary key,
  agent_id bigint not null references agent (id),
  last_ride_at timestamptz not null,
  last_area_id bigint not null,
  rides bigint not null check (rides >= 0),
  cents bigint not null check (cents >= 0)
);
comment on table rider_use is 'All charged rides of a rider in one row, kept by the same triggers as rider_day.';
create index rider_use_agent on rider_use (agent_id, last_ride_at) include (rider_id, rides, cents, last_area_id);
select enable_tenant_rls('rider_use', false);
revoke delete, truncate on rider_use from saddle_app, saddle_system;

create function count_rides_made() returns trigger language plpgsql as $$
begin
  insert into rider_day as d (rider_id, agent_id, day, last_area_id, rides, cents)
  select m.rider_id, m.agent_id, (m.ended_at at time zone 'Asia/Shanghai')::date,
    (array_agg(m.area_id order by m.ended_at desc))[1], count(*), sum(m.charged_cents - m.refunded_cents)
  from made m where m.charged_cents is not null group by 1, 2, 3 order by 1, 3
  on conflict (rider_id, day) do update set last_area_id = excluded.last_area_id, rides = d.rides + excluded.rides,
    cents = d.cents + excluded.cents;
  insert into rider_use as u (rider_id, agent_id, last_ride_at, last_area_id, rides, cents)
  select m.rider_id, m.agent_id, max(m.ended_at), (array_agg(m.area_id order by m.ended_at desc))[1], count(*),
    sum(m.charged_cents - m.refunded_cents)
  from made m where m.charged_cents is not null group by 1, 2 order by 1
  on conflict (rider_id) do update set rides = u.rides + excluded.rides, cents = u.cents + excluded.cents,
    last_area_id = case when excluded.last_ride_at >= u.last_ride_at then excluded.last_area_id else u.last_area_id end,
    last_ride_at = greatest(u.last_ride_at, excluded.last_ride_at);
  return null;
end
$$;
create function count_ride_changed() returns trigger language plpgsql as $$
declare
  more_rides integer := case when old.charged_cents is null then 1 else 0 end;
  more_cents bigint := new.charged_cents - new.refunded_cents - coalesce(old.charged_cents - old.refunded_cents, 0);
begin
  insert into rider_day as d (rider_id, agent_id, day, last_area_id, rides, cents)
  values (new.rider_id, new.agent_id, (new.ended_at at time zone 'Asia/Shanghai')::date, new.area_id, more_rides,
    greatest(more_cents, 0))
  on conflict (rider_id, day) do update set rides = d.rides + more_rides, cents = d.cents + more_cents,
    last_area_id = case when more_rides > 0 then excluded.last_area_id else d.last_area_id end;
  insert into rider_use as u (rider_id, agent_id, last_ride_at, last_area_id, rides, cents)
  values (new.rider_id, new.agent_id, new.ended_at, new.area_id, more_rides, greatest(more_cents, 0))
  on conflict (rider_id) do update set rides = u.rides + more_rides, cents = u.cents + more_cents,
    last_area_id = case when new.ended_at >= u.last_ride_at then excluded.last_area_id else u.last_area_id end,
    last_ride_at = greatest(u.last_ride_at, excluded.last_ride_at);
  return null;
end
$$;
create trigger count_rides_made after insert on ride_order referencing new table as made
for each statement execute function count_rides_made();
create trigger count_ride_changed after update of charged_cents, refunded_cents on ride_order
for each row when (new.charged_cents is not null
  and (old.charged_cents is distinct from new.charged_cents or old.refunded_cents <> new.refunded_cents))
execute function count_ride_changed();

set local role saddle_system;
insert into rider_day (rider_id, agent_id, day, last_area_id, rides, cents)
select o.rider_id, o.agent_id, (o.ended_at at time zone 'Asia/Shanghai')::date,
  (array_agg(o.area_id order by o.ended_at desc))[1], count(*), sum(o.charged_cents - o.refunded_cents)
from ride_order o where o.charged_cents is not null group by 1, 2, 3;
insert into rider_use (rider_id, agent_id, last_ride_at, last_area_id, rides, cents)
select o.rider_id, o.agent_id, max(o.ended_at), (array_agg(o.area_id order by o.ended_at desc))[1], count(*),
  sum(o.charged_cents - o.refunded_cents)
from ride_order o where o.charged_cents is not null group by 1, 2;
reset role;
