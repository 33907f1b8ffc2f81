/**
 * Statistics of finished work over 1,000,000 tasks of a year: the figures of a month beside the month before, what the
 * work brought, and the lists behind, through the whole stack: `node bench/work.ts [--quick]`.
 */
import { workStatisticsEndpoints, type WorkPage } from '@saddle/contract/operations/statistics/work.ts'
import type pg from 'pg'
import { businessDayOf, dayMs } from '@saddle/contract/time.ts'
import { startDemo } from './lib/demo.ts'
import { isQuick, judge, median, quantile, say, state, whole } from './lib/report.ts'

const tasks = isQuick ? 50_000 : 1_000_000
const rounds = isQuick ? 3 : 10
const limitMs = 50

/** Finished tasks of a year, in all areas, by ten people in each of them. */
async function addTasks(database: pg.Client): Promise<void> {
  // Computes the figures in one go afterwards: doing it per task takes longer than inserting the tasks.
  await database.query(`set session_replication_role = replica`)
  await database.query(
    `create temp table made as
     with fleet as (select id, agent_id, area_id, row_number() over (order by id) - 1 as n from vehicle)
     select made.*, f.id as vehicle_id, f.agent_id, f.area_id
     from (
       select n, (array['battery_swap', 'battery_swap', 'battery_swap', 'move', 'move', 'repair', 'inspect'])[1 + n % 7] as kind,
         now() - interval '365 days' * (n::float8 / $1) as done_at
       from generate_series(1, $1::integer) n
     ) made join fleet f on f.n = made.n::bigint * 7919 % (select count(*) from fleet)`,
    [tasks],
  )
  await database.query(
    `with task as (
       insert into task (vehicle_id, agent_id, area_id, kind, state, source, opened_at, claimed_at, done_at, due_at,
         person_name)
       select vehicle_id, agent_id, area_id, kind, 'done', 'rule', done_at - interval '2 hours' * (1 + n % 5),
         done_at - interval '20 minutes', done_at, done_at + interval '1 hour' * (n % 3 - 1),
         'person ' || area_id || ' ' || n % 10
       from made returning id, agent_id, area_id, kind
     )
     insert into task_result (task_id, agent_id, area_id, pay_cents, battery_before, battery_after, reason)
     select id, agent_id, area_id, 300, case when kind = 'battery_swap' then 12 end,
       case when kind = 'battery_swap' then 98 end, case when kind = 'repair' then 'reason ' || id % 9 end
     from task`,
  )
  await database.query(`truncate work_day`)
  await database.query(`insert into work_day select (w).* from (
    select row(c.area_id, c.agent_id, c.day, c.kind, c.person_id, c.person_name, c.done, c.cancelled, c.due, c.on_time,
      c.rejected, c.with_photo, c.wait_seconds, c.work_seconds, c.pay_cents, c.parts_cents, c.measured,
      c.battery_before, c.battery_after, c.spread)::work_day as w from work_day_counted c) made`)
  await database.query(`set session_replication_role = origin`)
  await database.query(`vacuum (analyze) task, task_result`)
  await database.query(`vacuum (analyze) work_day`)
}

const startedAt = performance.now()
const demo = await startDemo({ historyDays: 0, prepare: addTasks })
try {
  say(`${whole(tasks)} tasks, made in ${((performance.now() - startedAt) / 1000).toFixed(0)} s`)
  const now = Date.now()
  const span = { from: businessDayOf(now - 30 * dayMs), to: businessDayOf(now) }
  const pages: readonly WorkPage[] = ['swap', 'repair', 'inspection', 'move']
  const measure = async (run: (page: WorkPage) => Promise<unknown>): Promise<number[]> => {
    const took: number[] = []
    for (let round = 0; round <= rounds; round += 1) {
      for (const page of pages) {
        const from = performance.now()
        await run(page)
        if (round > 0) took.push(performance.now() - from)
      }
    }
    return took
  }
  const figures = await measure((page) => demo.call(workStatisticsEndpoints.workFigures, { filter: { page, ...span } }))
  judge({
    what: 'figures of a month and the month before',
    figure: `p50 ${median(figures).toFixed(1)} ms, p99 ${quantile(figures, 0.99).toFixed(1)} ms`,
    isMet: quantile(figures, 0.99) <= limitMs,
    goal: `p99 <= ${limitMs} ms`,
  })
  const lists = await measure((page) => demo.call(workStatisticsEndpoints.workTasks, { filter: { page, ...span } }))
  state(
    'first page of the tasks behind, with count',
    `p50 ${median(lists).toFixed(1)} ms, p99 ${quantile(lists, 0.99).toFixed(1)} ms`,
  )
  for (const page of pages) {
    const found = await measure(() => demo.call(workStatisticsEndpoints.workFindings, { filter: { page, ...span } }))
    state(`findings of ${page}`, `p50 ${median(found).toFixed(1)} ms`)
  }
} finally {
  await demo.stop()
}
