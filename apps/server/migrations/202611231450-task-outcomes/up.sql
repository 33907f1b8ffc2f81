alter table task
  add column outcome text check (outcome in ('not_found', 'locked_in', 'needs_help')),
  add column outcome_at timestamptz,
  add constraint task_outcome_time check ((outcome is null) = (outcome_at is null));
comment on column task.outcome is 'What kept somebody from finishing it, until it is handed out anew or done.';
create index task_outcome_open on task (area_id, id desc) where done_at is null and outcome is not null;

alter table task_step
  add column photo_ids text[] not null default '{}' check (cardinality(photo_ids) <= 3),
  drop constraint task_step_step_check,
  add constraint task_step_step_check check (step in
    ('opened', 'claimed', 'released', 'assigned', 'transferred', 'started', 'done', 'cancelled', 'approved', 'rejected',
     'not_found', 'locked_in', 'needs_help'));

-- Some releases of PostgreSQL refuse the columns while a function takes a row of this table.
drop view work_day_counted;
drop function work_day_of(task, task_result, task_review);
alter table task_result
  add column checks_fine text[] not null default '{}' check (cardinality(checks_fine) <= 20),
  add column checks_failed text[] not null default '{}' check (cardinality(checks_failed) <= 20),
  add constraint task_result_checks check (not checks_fine && checks_failed);
comment on column task_result.checks_fine is 'What was looked at before the task was finished and was in order.';

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
