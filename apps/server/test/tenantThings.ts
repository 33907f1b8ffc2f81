import { hourMs } from '@saddle/contract/time.ts'
import type { Audit } from '#audit/public.ts'
import type { Tx } from '#kit/db/pool.ts'

/** A browser of the manager that waits for approval, a session in it that no test uses, and a screen on a wall. */
export async function addLogin(options: { tx: Tx; agentId: number; managerId: number; marker: string; at: Date }) {
  const { tx, agentId, managerId, marker, at } = options
  const { id: deviceId } = await tx
    .insertInto('operator_device')
    .values({
      operator_id: managerId,
      agent_id: agentId,
      device_hash: `${marker} device`,
      name: `${marker} device`,
      user_agent: `${marker} browser`,
      first_seen_at: at,
      last_seen_at: at,
      requested_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: sessionId } = await tx
    .insertInto('session')
    .values({
      handle: `${marker} handle`,
      sid_hash: `${marker} sid`,
      csrf_hash: '',
      operator_id: managerId,
      device_id: deviceId,
      login_kind: 'sms',
      created_at: at,
      last_seen_at: at,
      expires_at: new Date(at.getTime() + hourMs),
      user_agent: `${marker} browser`,
      address: '192.0.2.1',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: screenId } = await tx
    .insertInto('wall_screen')
    .values({
      agent_id: agentId,
      operator_id: managerId,
      operator_name: `${marker} manager`,
      name: `${marker} screen`,
      pages: ['operations', 'revenue'],
      paired_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { deviceId, sessionId, screenId }
}

/** A trip, alarms, repairs, a fence and a saved condition: a thing of each kind that a call could reach for. */
export async function addPast(options: {
  tx: Tx
  agentId: number
  areaIds: readonly [number, number]
  vehicleIds: readonly number[]
  managerId: number
  marker: string
  at: Date
}) {
  const { tx, agentId, areaIds, vehicleIds, managerId, marker, at } = options
  const begun = new Date(at.getTime() - hourMs)
  const each = vehicleIds.map((vehicleId, index) => ({
    vehicle_id: vehicleId,
    agent_id: agentId,
    area_id: index === 0 ? areaIds[0] : areaIds[1],
  }))
  const pair = (rows: readonly { id: number }[]): [number, number] => [rows[0]?.id ?? 0, rows[1]?.id ?? 0]
  const place = { start_lat: 31.05, start_lng: 120.05, end_lat: 31.06, end_lng: 120.06, distance_m: 1_500 }
  const trips = await tx
    .insertInto('trip')
    .values(each.map((one) => Object.assign({ started_at: begun, ended_at: at, duration_s: 3_600 }, one, place)))
    .returning('id')
    .execute()
  const alarms = await tx
    .insertInto('vehicle_alarm')
    .values(each.map((one) => Object.assign({ kind: 'fall', opened_at: begun, last_at: begun }, one)))
    .returning('id')
    .execute()
  const repairs = await tx
    .insertInto('task')
    .values(each.map((one) => Object.assign({ kind: 'repair', state: 'open', source: 'rule', opened_at: begun }, one)))
    .returning('id')
    .execute()
  const box = { west: 120, south: 31, east: 120.1, north: 31.1 }
  const fences = await tx
    .insertInto('fence')
    .values(
      areaIds.map((areaId) => ({
        ...box,
        agent_id: agentId,
        area_id: areaId,
        kind: 'parking',
        name: `${marker} parking ${areaId}`,
        centre_lat: 31.05,
        centre_lng: 120.05,
        radius_m: 30,
        capacity: 10,
        valid_from: begun,
      })),
    )
    .returning('id')
    .execute()
  await tx
    .insertInto('fleet_day')
    .values(
      areaIds.map((areaId) => ({
        area_id: areaId,
        agent_id: agentId,
        day: at.toISOString().slice(0, 10),
        vehicles: 1,
        ridden: 1,
        trips: 1,
        ride_seconds: 3_600,
        distance_m: 1_500,
        low_battery: 0,
        made_at: at,
      })),
    )
    .execute()
  const screening = await tx
    .insertInto('screening')
    .values({
      agent_id: agentId,
      operator_id: managerId,
      name: `${marker} screening`,
      filter: JSON.stringify({ states: ['available'] }),
      shared: true,
      updated_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return {
    tripIds: pair(trips),
    alarmIds: pair(alarms),
    repairIds: pair(repairs),
    screeningId: screening.id,
    fenceIds: pair(fences),
  }
}

/** What a tenant is known by in the records of another. */
interface Named {
  readonly agentId: number
  readonly managerId: number
  readonly vehicleIds: readonly number[]
  readonly batchId: string
}

/** An audit record of each tenant that names things of the other: their names must not be shown to its readers. */
export async function writeOfEachOther(options: {
  tx: Tx
  audit: Audit
  tenants: readonly [Named, Named]
}): Promise<void> {
  const { tx, audit, tenants } = options
  for (const [index, of] of tenants.entries()) {
    const other = tenants[1 - index] ?? of
    const vehicleIds = [...of.vehicleIds, ...other.vehicleIds]
    const about = vehicleIds.map((id) => ({ kind: 'vehicle', id }))
    await audit.write(tx, {
      agentId: of.agentId,
      operatorId: of.managerId,
      action: 'demo.fill',
      subjectKind: 'command_batch',
      subjectId: of.batchId,
      about: [...about, { kind: 'agent', id: other.agentId }],
      after: { vehicleIds, agentId: other.agentId },
    })
  }
}
