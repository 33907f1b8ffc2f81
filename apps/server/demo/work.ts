import { suggestedTaskRules, type TaskRule } from '@saddle/contract/operations/taskRules.ts'
import { taskKinds, type TaskKind } from '@saddle/contract/operations/taskWords.ts'
import { taskTargetMinutes } from '@saddle/contract/operations/taskTargets.ts'
import { sql } from 'kysely'
import { dayMs } from '@saddle/contract/time.ts'
import type { Tx } from '#kit/db/pool.ts'
import { demoTenants, platformAgentId } from './tenants.ts'

const pay: Readonly<Record<TaskKind, readonly [cents: number, reviewed: boolean]>> = {
  battery_swap: [350, false],
  move: [280, false],
  repair: [1_200, true],
  inspect: [150, false],
  retrieve: [600, true],
  relocate: [280, false],
}
const reasons = ['刹车失灵', '车锁故障', '电池仓打不开', '轮胎漏气', '座椅损坏', '车灯不亮', '二维码污损', '链条脱落']
const parts: readonly (readonly [name: string, unit: string, cents: number, stock: number, low: number])[] = [
  ['刹车线', '根', 650, 120, 40],
  ['刹车片', '副', 1_800, 64, 30],
  ['智能锁', '把', 16_800, 9, 12],
  ['外胎', '条', 4_500, 38, 20],
  ['座椅', '个', 3_200, 22, 10],
  ['前灯', '个', 2_600, 15, 15],
  ['二维码贴', '张', 50, 800, 200],
]
const parkingSpots: readonly (readonly [
  name: string,
  north: number,
  east: number,
  capacity: number,
  reason: string,
])[] = [
  ['地铁口东侧非机动车位', 0.0021, 0.0014, 30, '早高峰出站的人都停在这里，离最近的停车点太远'],
  ['菜市场后门', -0.0018, 0.0026, 20, '社区同意划线，附近每周都有几单停车点外还车'],
  ['写字楼北广场', 0.0034, -0.0022, 40, '物业已书面同意，晚高峰用车多'],
]

const firstRule = {
  trigger: 'low_battery',
  enabled: true,
  kind: 'battery_swap',
  priority: 2,
  dueMinutes: null,
  atMost: 200,
} as const
/** A franchisee of the demo swaps batteries earlier than the platform suggests. */
function rulesOf(index: number): TaskRule[] {
  const early: TaskRule = { ...firstRule, belowPercent: index % 2 === 1 ? 25 : 20 }
  return [early, ...suggestedTaskRules.filter(({ trigger }) => trigger !== 'low_battery')]
}

type Area = { id: number; agent_id: number; lat: number; lng: number }

/** Adds rules, targets and pay of the demo's areas, fault reasons, repair parts, and a few parking spot requests. */
export async function insertWork(tx: Tx, nowMs: number): Promise<void> {
  const { rows: areas } = await sql<Area>`
    select id, agent_id, centre_lat as lat, centre_lng as lng from service_area order by id`.execute(tx)
  const { rows: people } = await sql<{ id: number; agent_id: number; name: string; area_id: number | null }>`
    select o.id, o.agent_id, o.name, (select min(h.area_id) from operator_area h where h.operator_id = o.id) as area_id
    from operator o where o.level in (1, 4) order by o.id`.execute(tx)
  const since = new Date(nowMs - 20 * dayMs)
  const admin = people.find(({ agent_id: agentId }) => agentId === platformAgentId)
  for (const [index, { id, agent_id: agentId, lat, lng }] of areas.entries()) {
    const own = { area_id: id, agent_id: agentId }
    await tx
      .insertInto('task_rule_version')
      .values({
        ...own,
        version: 1,
        rules: JSON.stringify(rulesOf(index)),
        note: '首次启用',
        author_id: admin?.id ?? null,
        author_name: admin?.name ?? '系统',
        created_at: since,
      })
      .execute()
    const targets = JSON.stringify({ ...taskTargetMinutes, battery_swap: index === 0 ? 120 : 240 })
    await tx
      .insertInto('work_area')
      .values({ ...own, targets, changed_at: since })
      .execute()
    const workers = people.filter((one) => one.area_id === id)
    const [worker] = workers
    if (worker === undefined) continue
    await tx
      .insertInto('work_area_person')
      .values(workers.map((one) => ({ area_id: id, agent_id: agentId, operator_id: one.id, kinds: [...taskKinds] })))
      .execute()
    for (const [place, [name, north, east, capacity, reason]] of parkingSpots.entries()) {
      const asked = { name, capacity, reason, radius_m: 15, lat: lat + north, lng: lng + east }
      const who = { applicant_id: worker.id, applicant_name: worker.name }
      await tx
        .insertInto('park_application')
        .values({ ...own, ...asked, ...who, applied_at: new Date(nowMs - (place + 1) * dayMs) })
        .execute()
    }
  }
  for (const { id: agentId } of demoTenants) await insertWorkshop(tx, agentId, since)
}

async function insertWorkshop(tx: Tx, agentId: number, since: Date): Promise<void> {
  await tx
    .insertInto('repair_reason')
    .values(reasons.map((name, index) => ({ agent_id: agentId, name, position: (index + 1) * 10 })))
    .execute()
  await tx
    .insertInto('task_pay')
    .values(taskKinds.map((kind) => ({ agent_id: agentId, kind, cents: pay[kind][0], reviewed: pay[kind][1] })))
    .execute()
  for (const [name, unit, cents, stock, low] of parts) {
    const { id } = await tx
      .insertInto('repair_part')
      .values({ agent_id: agentId, name, unit, price_cents: cents, stock, stock_low: low })
      .returning('id')
      .executeTakeFirstOrThrow()
    await tx
      .insertInto('repair_part_movement')
      .values({ part_id: id, agent_id: agentId, pieces: stock, at: since, operator_name: '系统', note: '期初' })
      .execute()
  }
}
