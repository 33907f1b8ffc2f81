import { sql } from 'kysely'
import { hourMs } from '@saddle/contract/time.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf } from '#kit/db/rows.ts'
import type { Kit } from '#kit/kit.ts'
import { createPhotos } from '#photos/public.ts'

/** The newest of the work that photos prove. */
const photosMax = 40
/** Newer tasks may have been done by the simulated staff with the real calls. */
const pastMs = hourMs

const taskRow = rowOf('task', 't', ['id', 'agent_id', 'area_id', 'done_at']).filled('done_at')

/**
 * Adds used parts, taken out of the stock, and photos to the demo's finished tasks. Does so once; returns how many tasks
 * changed.
 */
export async function fillTasks(kit: Kit, picture: (number: number) => Buffer): Promise<number> {
  const before = new Date(kit.clock.now() - pastMs)
  const repaired = await kit.db.system(async (tx) => ((await isFilled(tx, before)) ? null : fillRepairs(tx, before)))
  if (repaired === null) return 0
  const shown = await kit.db.systemRead((k) =>
    taskRow.select`
      from task t join task_result r on r.task_id = t.id
      where t.state = 'done' and t.kind in ('inspect', 'repair', 'retrieve') and t.done_at < ${before}
        and cardinality(r.photo_ids) = 0
      order by t.done_at desc, t.id desc limit ${photosMax}`.compile(k),
  )
  for (const { id, agent_id: agentId, area_id: areaId, done_at: at } of shown) {
    const photos = createPhotos({ ...kit, clock: { now: () => at.getTime() } })
    const file = picture(id).toString('base64')
    await kit.db.system(async (tx) => {
      const photoId = await photos.keep(tx, { agentId, areaId, purpose: 'task', file })
      await sql`update task_result set photo_ids = array[${photoId}] where task_id = ${id}`.execute(tx)
    })
  }
  return repaired + shown.length
}

async function isFilled(tx: Tx, before: Date): Promise<boolean> {
  const { rows } = await sql`
    select from repair_part_movement where task_id is not null and at < ${before}
    union all select from task_result r join task t on t.id = r.task_id
      where t.done_at < ${before} and cardinality(r.photo_ids) > 0
    limit 1`.execute(tx)
  return rows.length > 0
}

async function fillRepairs(tx: Tx, before: Date): Promise<number> {
  const used = await takePartsOfPast(tx, before)
  await reportPast(tx, before)
  return used
}

/**
 * Two of three repairs of the past came of an inspection: reported when they were opened, by whoever had inspected last in
 * that area, and confirmed by their end.
 */
async function reportPast(tx: Tx, before: Date): Promise<void> {
  await sql`
    with reason as (
      select r.agent_id, r.name, row_number() over (partition by r.agent_id order by r.id) - 1 as place,
        count(*) over (partition by r.agent_id) as many
      from repair_reason r
    ), found as (
      select t.id, t.vehicle_id, t.agent_id, t.area_id, t.opened_at, t.done_at, coalesce(r.reason, reason.name) as reason,
        (select i.person_name from task i where i.area_id = t.area_id and i.kind = 'inspect' and i.state = 'done'
          and i.done_at < t.opened_at and i.person_name is not null order by i.done_at desc limit 1) as person_name
      from task t join task_result r on r.task_id = t.id
        join reason on reason.agent_id = t.agent_id and reason.place = t.id % reason.many
      where t.kind = 'repair' and t.state = 'done' and t.done_at < ${before} and t.source = 'rule' and t.id % 3 < 2
    ), told as (
      insert into fault_report (vehicle_id, agent_id, area_id, source, reason, reported_at, settled_at, task_id, person_name)
      select vehicle_id, agent_id, area_id, 'inspection', reason, opened_at, done_at, id, left(person_name, 40)
      from found where person_name is not null
      returning task_id
    )
    update task t set source = 'inspection' from told where t.id = told.task_id`.execute(tx)
}

/** Three of five repairs used one piece of something that the workshop has enough of. */
async function takePartsOfPast(tx: Tx, before: Date): Promise<number> {
  const { rows } = await sql`
    with part as (
      select p.id, p.agent_id, p.price_cents, row_number() over (partition by p.agent_id order by p.id) - 1 as place,
        count(*) over (partition by p.agent_id) as many
      from repair_part p where p.removed_at is null and p.stock > p.stock_low
    ), used as (
      select t.id, t.agent_id, t.done_at, t.person_name, part.id as part_id, part.price_cents as cents
      from task t join task_result r on r.task_id = t.id
        join part on part.agent_id = t.agent_id and part.place = t.id % part.many
      where t.kind = 'repair' and t.state = 'done' and r.parts_cents = 0 and t.done_at < ${before} and t.id % 5 < 3
    ), moved as (
      insert into repair_part_movement (part_id, agent_id, pieces, cents, task_id, at, operator_name)
      select part_id, agent_id, -1, cents, id, done_at, coalesce(person_name, '系统') from used order by done_at
      returning part_id
    ), taken as (
      update repair_part p set stock = p.stock - m.pieces
      from (select part_id, count(*)::integer as pieces from moved group by part_id) m where p.id = m.part_id
    )
    update task_result r set parts_cents = u.cents from used u where r.task_id = u.id returning r.task_id`.execute(tx)
  return rows.length
}
