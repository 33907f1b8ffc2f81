import { sql } from 'kysely'
import { suggestedTaskRules } from '@saddle/contract/operations/taskRules.ts'
import { taskTargetMinutes } from '@saddle/contract/operations/taskTargets.ts'
import { numberIn, type ChangeWorld } from './changeWorld.fixture.ts'

/** What field work goes by: rules, people, reasons, parts, pay. */
async function fieldConfig(world: ChangeWorld, areas: { areaId: number; version: number }[]): Promise<void> {
  const { act, manager, of, root } = world
  await act(manager, 'saveTaskRules', { areas, rules: [...suggestedTaskRules] })
  const people = [{ operatorId: of.workerId, kinds: ['repair'] }]
  await act(manager, 'saveWorkArea', { areaId: of.areaIds[0], version: 1, targets: taskTargetMinutes, people })
  const reason = numberIn(await act(manager, 'saveFixReason', { name: 'New reason' }), 'id')
  await act(manager, 'saveFixReason', { id: reason, version: 1, name: 'Renamed reason' })
  await act(manager, 'removeFixReason', { id: reason })
  const part = { name: 'New part', unit: 'x', priceCents: 100 }
  const id = numberIn(await act(manager, 'saveRepairPart', part), 'id')
  await act(manager, 'saveRepairPart', { ...part, id, version: 1, name: 'Renamed part' })
  await act(manager, 'moveRepairStock', { id, pieces: 10 })
  await act(manager, 'exportPartMovements', { id })
  await act(manager, 'removeRepairPart', { id })
  const wish = { areaId: of.areaIds[0], lat: 31.05, lng: 120.06, radiusM: 15, capacity: 12, reason: 'r' }
  const first = numberIn(await act(manager, 'submitParkApplication', { ...wish, name: 'Wish 1' }), 'id')
  await act(manager, 'withdrawParkApplication', { id: first })
  const second = numberIn(await act(manager, 'submitParkApplication', { ...wish, name: 'Wish 2' }), 'id')
  await act(root, 'decideParkApplications', { ids: [second], decision: 'approved' })
  await act(manager, 'exportParkApplications', {})
  await act(manager, 'saveTaskPay', { pay: [{ kind: 'repair', cents: 1_000, reviewed: true }] })
}

/** A task through its life; the manager may not look at the own work, so somebody from above does. */
export async function fieldWork(world: ChangeWorld): Promise<void> {
  const { act, manager, of, owner, root } = world
  const vehicleIds = [of.vehicleIds[0]]
  const created = await act(manager, 'createTasks', { vehicleIds, kind: 'inspect', note: 'r' })
  const [id = 0] = created['created'] as number[]
  await act(manager, 'claimTask', { id })
  await act(manager, 'releaseTask', { id })
  await act(manager, 'assignTasks', { ids: [id], operatorId: of.managerId })
  await act(manager, 'transferTask', { id, operatorId: of.managerId })
  await act(manager, 'startTask', { id })
  await act(manager, 'reportTask', { id, outcome: 'not_found' })
  await act(manager, 'claimTask', { id })
  await act(manager, 'prioritiseTasks', { ids: [id], priority: 1 })
  await act(manager, 'cancelTasks', { ids: [id], note: 'r' })
  await act(manager, 'reopenTasks', { ids: [id] })
  await act(manager, 'claimTask', { id })
  await act(manager, 'completeTask', { id })
  await sql`
    insert into task_review (task_id, agent_id, area_id) select id, agent_id, area_id from task where id = ${id}`.execute(
    owner,
  )
  await act(root, 'reviewTasks', { ids: [id], decision: 'approved' })
  await fieldConfig(world, [{ areaId: of.areaIds[0], version: 1 }])
  await act(manager, 'exportTasks', { filter: { kinds: ['inspect'] } })
  await rebalancing(world)
}

/** A vehicle that nothing holds is carried from its place to an empty one. */
async function rebalancing(world: ChangeWorld): Promise<void> {
  const { act, manager, of, owner } = world
  const [areaId] = of.areaIds
  const [vehicleId] = of.vehicleIds
  await sql`update task set state = 'cancelled', done_at = now() where vehicle_id = ${vehicleId} and done_at is null`.execute(
    owner,
  )
  await sql`update vehicle set state = 'available' where id = ${vehicleId}`.execute(owner)
  const { rows } = await sql<{ id: number; is_near: boolean }>`
    insert into fence (agent_id, area_id, kind, name, radius_m, valid_from, centre_lat, centre_lng, west, south, east, north)
    select ${of.agentId}, ${areaId}, 'parking', n.name, 30, now() - interval '1 day', n.lat, n.lng, n.lng, n.lat, n.lng, n.lat
    from vehicle_status s, lateral (values
      ('Here', s.lat + 0.00001, s.lng), ('There', s.lat + 0.01, s.lng)) n (name, lat, lng)
    where s.vehicle_id = ${vehicleId}
    returning id, name = 'Here' as is_near`.execute(owner)
  await sql`insert into fence_change (changed_area_id) values (${areaId})`.execute(owner)
  const places = await sql<{ id: number }>`
    select f.id from fence f
    where f.area_id = ${areaId} and f.kind = 'parking' and f.valid_to is null`.execute(owner)
  const there = rows.find((row) => !row.is_near)?.id
  const moves = places.rows
    .filter(({ id }) => id !== there)
    .map(({ id }) => ({ fromFenceId: id, toFenceId: there, vehicles: 1 }))
  await act(manager, 'adoptPlan', { areaId, moves })
  await act(manager, 'exportPlans', {})
}
