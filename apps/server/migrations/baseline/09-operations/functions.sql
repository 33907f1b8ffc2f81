-- Battery levels are added up in thousandths of a percent: rounded to tenths before they were added, their mean was off.
create function work_day_of(t task, r task_result, e task_review) returns work_day language sql immutable
return (
  select row(
    t.area_id, t.agent_id, business_day(t.done_at), t.kind, coalesce(t.assignee_id, 0), coalesce(t.person_name, ''),
    is_done::integer, (not is_done)::integer,
    (is_done and t.due_at is not null)::integer, coalesce(is_done and t.done_at <= t.due_at, false)::integer,
    coalesce(is_done and e.state = 'rejected', false)::integer,
    coalesce(is_done and cardinality(r.photo_ids) > 0, false)::integer,
    case when is_done then extract(epoch from greatest(coalesce(t.claimed_at, t.opened_at), t.opened_at) - t.opened_at)
      else 0 end::bigint,
    case when is_done then extract(epoch from t.done_at - least(coalesce(t.claimed_at, t.opened_at), t.done_at))
      else 0 end::bigint,
    case when is_done then coalesce(r.pay_cents, 0) else 0 end,
    case when is_done then coalesce(r.parts_cents, 0) else 0 end,
    is_measured::integer,
    case when is_measured then round(r.battery_before::numeric * 1000) else 0 end::bigint,
    case when is_measured then round(r.battery_after::numeric * 1000) else 0 end::bigint,
    array(select (is_done and n = width_bucket(
        extract(epoch from t.done_at - t.opened_at), array[1800, 3600, 7200, 14400, 28800, 86400, 172800]::numeric[]))::integer
      from generate_series(0, 7) n order by n)
  )::work_day
  from (select t.state = 'done' as is_done,
    t.state = 'done' and r.battery_before is not null and r.battery_after is not null as is_measured) s
);

-- Adds what changed to the days it belongs to, always in the same order, so that nobody waits in a circle.
create function add_work_days(signs integer[], changes work_day[]) returns void language sql
begin atomic
  insert into work_day as w (area_id, agent_id, day, kind, person_id, person_name, done, cancelled, due, on_time,
    rejected, with_photo, wait_seconds, work_seconds, pay_cents, parts_cents, measured, battery_before, battery_after,
    spread)
  select c.area_id, c.agent_id, c.day, c.kind, c.person_id, c.person_name, sum(sign * c.done), sum(sign * c.cancelled),
    sum(sign * c.due), sum(sign * c.on_time), sum(sign * c.rejected), sum(sign * c.with_photo),
    sum(sign * c.wait_seconds), sum(sign * c.work_seconds), sum(sign * c.pay_cents), sum(sign * c.parts_cents),
    sum(sign * c.measured), sum(sign * c.battery_before), sum(sign * c.battery_after),
    array[sum(sign * c.spread[1]), sum(sign * c.spread[2]), sum(sign * c.spread[3]), sum(sign * c.spread[4]),
      sum(sign * c.spread[5]), sum(sign * c.spread[6]), sum(sign * c.spread[7]), sum(sign * c.spread[8])]::integer[]
  from unnest(signs, changes) as c (sign, area_id, agent_id, day, kind, person_id, person_name, done, cancelled, due,
    on_time, rejected, with_photo, wait_seconds, work_seconds, pay_cents, parts_cents, measured, battery_before,
    battery_after, spread)
  group by 1, 2, 3, 4, 5, 6
  order by 1, 4, 3, 5, 6
  on conflict (area_id, kind, day, person_id, person_name) do update set
    done = w.done + excluded.done, cancelled = w.cancelled + excluded.cancelled, due = w.due + excluded.due,
    on_time = w.on_time + excluded.on_time, rejected = w.rejected + excluded.rejected,
    with_photo = w.with_photo + excluded.with_photo, wait_seconds = w.wait_seconds + excluded.wait_seconds,
    work_seconds = w.work_seconds + excluded.work_seconds, pay_cents = w.pay_cents + excluded.pay_cents,
    parts_cents = w.parts_cents + excluded.parts_cents, measured = w.measured + excluded.measured,
    battery_before = w.battery_before + excluded.battery_before,
    battery_after = w.battery_after + excluded.battery_after,
    spread = array(select a + b from unnest(w.spread, excluded.spread) with ordinality as s (a, b, n) order by n);
end;

-- Three tables make the figures of a task: each trigger counts its own change against the other two as they are then. So one
-- statement changes one of the three; a result or review that is written before its task ends costs nothing here.
create function work_day_of_task() returns trigger language plpgsql
as $$
begin
  if tg_op = 'INSERT' then
    perform add_work_days(array_agg(1), array_agg(work_day_of(n::task, r, e)))
    from fresh n left join task_result r on r.task_id = n.id left join task_review e on e.task_id = n.id
    where n.done_at is not null having count(*) > 0;
  elsif tg_op = 'DELETE' then
    perform add_work_days(array_agg(-1), array_agg(work_day_of(o::task, r, e)))
    from stale o left join task_result r on r.task_id = o.id left join task_review e on e.task_id = o.id
    where o.done_at is not null having count(*) > 0;
  else
    perform add_work_days(array_agg(c.sign), array_agg(c.made)) from (
      select 1 as sign, work_day_of(n::task, r, e) as made
      from fresh n left join task_result r on r.task_id = n.id left join task_review e on e.task_id = n.id
      where n.done_at is not null
      union all
      select -1, work_day_of(o::task, r, e)
      from stale o left join task_result r on r.task_id = o.id left join task_review e on e.task_id = o.id
      where o.done_at is not null
    ) c having count(*) > 0;
  end if;
  return null;
end
$$;
create trigger work_day_inserted after insert on task
  referencing new table as fresh for each statement execute function work_day_of_task();
create trigger work_day_updated after update on task
  referencing old table as stale new table as fresh for each statement execute function work_day_of_task();
create trigger work_day_deleted after delete on task
  referencing old table as stale for each statement execute function work_day_of_task();

create function work_day_of_result() returns trigger language plpgsql
as $$
begin
  if tg_op = 'INSERT' then
    perform add_work_days(array_agg(c.sign), array_agg(c.made))
    from fresh n join task t on t.id = n.task_id left join task_review e on e.task_id = t.id,
      lateral (values (1, work_day_of(t, n::task_result, e)), (-1, work_day_of(t, null, e))) c (sign, made)
    where t.done_at is not null having count(*) > 0;
  elsif tg_op = 'DELETE' then
    perform add_work_days(array_agg(c.sign), array_agg(c.made))
    from stale o join task t on t.id = o.task_id left join task_review e on e.task_id = t.id,
      lateral (values (1, work_day_of(t, null, e)), (-1, work_day_of(t, o::task_result, e))) c (sign, made)
    where t.done_at is not null having count(*) > 0;
  else
    perform add_work_days(array_agg(c.sign), array_agg(c.made))
    from fresh n join stale o on o.task_id = n.task_id join task t on t.id = n.task_id
      left join task_review e on e.task_id = t.id,
      lateral (values (1, work_day_of(t, n::task_result, e)), (-1, work_day_of(t, o::task_result, e))) c (sign, made)
    where t.done_at is not null having count(*) > 0;
  end if;
  return null;
end
$$;
create trigger work_day_inserted after insert on task_result
  referencing new table as fresh for each statement execute function work_day_of_result();
create trigger work_day_updated after update on task_result
  referencing old table as stale new table as fresh for each statement execute function work_day_of_result();
create trigger work_day_deleted after delete on task_result
  referencing old table as stale for each statement execute function work_day_of_result();

create function work_day_of_review() returns trigger language plpgsql
as $$
begin
  if tg_op = 'INSERT' then
    perform add_work_days(array_agg(c.sign), array_agg(c.made))
    from fresh n join task t on t.id = n.task_id left join task_result r on r.task_id = t.id,
      lateral (values (1, work_day_of(t, r, n::task_review)), (-1, work_day_of(t, r, null))) c (sign, made)
    where t.done_at is not null having count(*) > 0;
  elsif tg_op = 'DELETE' then
    perform add_work_days(array_agg(c.sign), array_agg(c.made))
    from stale o join task t on t.id = o.task_id left join task_result r on r.task_id = t.id,
      lateral (values (1, work_day_of(t, r, null)), (-1, work_day_of(t, r, o::task_review))) c (sign, made)
    where t.done_at is not null having count(*) > 0;
  else
    perform add_work_days(array_agg(c.sign), array_agg(c.made))
    from fresh n join stale o on o.task_id = n.task_id join task t on t.id = n.task_id
      left join task_result r on r.task_id = t.id,
      lateral (values (1, work_day_of(t, r, n::task_review)), (-1, work_day_of(t, r, o::task_review))) c (sign, made)
    where t.done_at is not null having count(*) > 0;
  end if;
  return null;
end
$$;
create trigger work_day_inserted after insert on task_review
  referencing new table as fresh for each statement execute function work_day_of_review();
create trigger work_day_updated after update on task_review
  referencing old table as stale new table as fresh for each statement execute function work_day_of_review();
create trigger work_day_deleted after delete on task_review
  referencing old table as stale for each statement execute function work_day_of_review();

-- The same figures, counted anew from the tasks: what the table must say.
create view work_day_counted with (security_invoker = true) as
select (d).area_id, (d).agent_id, (d).day, (d).kind, (d).person_id, (d).person_name,
  sum((d).done)::integer as done, sum((d).cancelled)::integer as cancelled, sum((d).due)::integer as due,
  sum((d).on_time)::integer as on_time, sum((d).rejected)::integer as rejected,
  sum((d).with_photo)::integer as with_photo, sum((d).wait_seconds)::bigint as wait_seconds,
  sum((d).work_seconds)::bigint as work_seconds, sum((d).pay_cents)::bigint as pay_cents,
  sum((d).parts_cents)::bigint as parts_cents, sum((d).measured)::integer as measured,
  sum((d).battery_before)::bigint as battery_before, sum((d).battery_after)::bigint as battery_after,
  array[sum((d).spread[1]), sum((d).spread[2]), sum((d).spread[3]), sum((d).spread[4]), sum((d).spread[5]),
    sum((d).spread[6]), sum((d).spread[7]), sum((d).spread[8])]::integer[] as spread
from (
  select work_day_of(t, r, e) as d
  from task t left join task_result r on r.task_id = t.id left join task_review e on e.task_id = t.id
  where t.done_at is not null offset 0
) made
group by 1, 2, 3, 4, 5, 6;
