-- Battery levels are added up in thousandths of a percent: rounded to tenths before they were added, their mean was off.
create or replace function work_day_of(t task) returns work_day language sql immutable
return (
  select row(
    t.area_id, t.agent_id, business_day(t.done_at), t.kind, coalesce(t.assignee_id, 0), coalesce(t.person_name, ''),
    is_done::integer, (not is_done)::integer,
    (is_done and t.due_at is not null)::integer, coalesce(is_done and t.done_at <= t.due_at, false)::integer,
    (is_done and t.review = 'rejected')::integer, (is_done and cardinality(t.photo_ids) > 0)::integer,
    case when is_done then extract(epoch from greatest(coalesce(t.claimed_at, t.opened_at), t.opened_at) - t.opened_at)
      else 0 end::bigint,
    case when is_done then extract(epoch from t.done_at - least(coalesce(t.claimed_at, t.opened_at), t.done_at))
      else 0 end::bigint,
    case when is_done then t.pay_cents else 0 end, case when is_done then t.parts_cents else 0 end,
    is_measured::integer,
    case when is_measured then round(t.battery_before::numeric * 1000) else 0 end::bigint,
    case when is_measured then round(t.battery_after::numeric * 1000) else 0 end::bigint,
    array(select (is_done and n = width_bucket(
        extract(epoch from t.done_at - t.opened_at), array[1800, 3600, 7200, 14400, 28800, 86400, 172800]::numeric[]))::integer
      from generate_series(0, 7) n order by n)
  )::work_day
  from (select t.state = 'done' as is_done,
    t.state = 'done' and t.battery_before is not null and t.battery_after is not null as is_measured) s
);

lock table task in share row exclusive mode;
update work_day w set battery_before = c.battery_before, battery_after = c.battery_after
from work_day_counted c
where (w.area_id, w.kind, w.day, w.person_id, w.person_name) = (c.area_id, c.kind, c.day, c.person_id, c.person_name)
  and (w.battery_before, w.battery_after) is distinct from (c.battery_before, c.battery_after);
