import type { Tx } from '#kit/db/pool.ts'

/** What field work of a tenant consists of beside its tasks: steps, rules, reports, people, reasons, parts, pay, parking spot requests. */
export async function addFieldWork(options: {
  tx: Tx
  agentId: number
  areaIds: readonly [number, number]
  vehicleIds: readonly number[]
  taskIds: readonly number[]
  workerId: number
  marker: string
  at: Date
}): Promise<{ reasonId: number; partId: number; parkIds: [number, number] }> {
  const { tx, agentId, areaIds, vehicleIds, taskIds, workerId, marker, at } = options
  const areas = areaIds.map((areaId, index) => ({ index, own: { agent_id: agentId, area_id: areaId } }))
  const name = `${marker} worker`
  const step = { step: 'opened', at, operator_name: name, note: `${marker} step` }
  await tx
    .insertInto('task_step')
    .values(areas.map(({ index, own }) => ({ ...own, ...step, task_id: taskIds[index] ?? 0 })))
    .execute()
  await tx
    .insertInto('task_rule_version')
    .values(areas.map(({ own }) => ({ ...own, version: 1, rules: '[]', author_name: name, created_at: at })))
    .execute()
  const report = { source: 'rider', reason: `${marker} fault`, reported_at: at }
  await tx
    .insertInto('fault_report')
    .values(areas.map(({ index, own }) => ({ ...own, ...report, vehicle_id: vehicleIds[index] ?? 0 })))
    .execute()
  await tx
    .insertInto('work_area')
    .values(areas.map(({ own }) => ({ ...own, targets: '{"repair": 240}', changed_at: at })))
    .execute()
  await tx
    .insertInto('work_area_person')
    .values(areas.map(({ own }) => ({ ...own, operator_id: workerId, kinds: ['repair'] })))
    .execute()
  const { id: reasonId } = await tx
    .insertInto('repair_reason')
    .values({ agent_id: agentId, name: `${marker} reason` })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: partId } = await tx
    .insertInto('repair_part')
    .values({ agent_id: agentId, name: `${marker} part`, unit: 'x', price_cents: 1_500, stock: 10 })
    .returning('id')
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('repair_part_movement')
    .values({ agent_id: agentId, part_id: partId, pieces: 10, at, operator_name: name, note: marker })
    .execute()
  await tx.insertInto('task_pay').values({ agent_id: agentId, kind: 'repair', cents: 1_200 }).execute()
  const request = { lat: 31.05, lng: 120.05, radius_m: 15, capacity: 12, applicant_id: workerId, applicant_name: name }
  const applications = await tx
    .insertInto('park_application')
    .values(
      areas.map(({ index, own }) =>
        Object.assign({ name: `${marker} request ${index}`, reason: `${marker} crowd`, applied_at: at }, own, request),
      ),
    )
    .returning('id')
    .execute()
  return { reasonId, partId, parkIds: [applications[0]?.id ?? 0, applications[1]?.id ?? 0] }
}
