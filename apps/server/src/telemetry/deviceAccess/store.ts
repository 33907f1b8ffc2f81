import { sql } from 'kysely'
import type { UnknownDevice, UnknownDeviceFilter, UnknownDeviceState } from '@saddle/contract/fleet/unknownDevices.ts'
import { heldReasons, unknownDeviceStates } from '@saddle/contract/fleet/unknownDevices.ts'
import type { VehicleModelFilter } from '@saddle/contract/fleet/models.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { startsWith } from '#kit/db/startsWith.ts'
import { within } from '#kit/db/within.ts'
import type { CountedModel } from './modelRules.ts'
import { protocolOf, type AccessRow } from './rules.ts'

/** One vehicle of the scope with what its device needs to sign in. */
export function selectAccess({ vehicleId, scope }: { vehicleId: number; scope: Scope }) {
  return sql<AccessRow>`
    select v.id as vehicle_id, v.agent_id, v.area_id, v.number, d.imei, d.terminal_number, v.plate, v.model, v.protocol,
      agent.company, area.name as area_name, d.secret_generation, d.terminal_mark is not null as is_claimed,
      d.registration_open_until, s.heard_at
    from vehicle v join device d on d.vehicle_id = v.id join vehicle_status s on s.vehicle_id = v.id
    join agent on agent.id = v.agent_id join service_area area on area.id = v.area_id
    where v.id = ${vehicleId} and ${within('v', scope)}`
}

/** The same, locked against others who change it, until the transaction ends. */
export async function lockAccess(tx: Tx, of: { vehicleId: number; scope: Scope }): Promise<AccessRow | undefined> {
  await sql`select v.id from vehicle v where v.id = ${of.vehicleId} and ${within('v', of.scope)} for update`.execute(tx)
  const { rows } = await selectAccess(of).execute(tx)
  return rows[0]
}

type WantedModels = {
  readonly scope: Scope
  readonly filter: VehicleModelFilter
  /** One of this very name alone. */
  readonly model?: string
  readonly limit: number
}

/** The models of the scope's vehicles by protocol, the most frequent first. */
export function selectModels({ scope, filter, model, limit }: WantedModels) {
  const { keyword = '', protocol } = filter
  return sql<CountedModel>`
    select v.model, v.protocol, count(*)::int as vehicles, array_agg(distinct d.profile) as device_profiles
    from vehicle v join device d on d.vehicle_id = v.id
    where ${within('v', scope)}
      and ${model === undefined ? sql`true` : sql`v.model = ${model}`}
      and ${protocol === undefined ? sql`true` : sql`v.protocol = ${protocol}`}
      and ${keyword === '' ? sql`true` : startsWith(sql`v.model`, keyword)}
    group by v.model, v.protocol order by vehicles desc, v.model, v.protocol limit ${limit}`
}

const serviceAreaRow = rowOf('service_area', 'a', ['agent_id'])

/** The company of an area of the scope. */
export async function findArea(tx: Tx, { areaId, scope }: { areaId: number; scope: Scope }): Promise<number | null> {
  const { rows } = await serviceAreaRow.select`
    from service_area a
    where a.id = ${areaId} and a.agent_id = any (${scope.agentIds}::bigint[])
      and a.id = any (${scope.areaIds}::bigint[])`.execute(tx)
  return rows[0]?.agent_id ?? null
}

const unknownDeviceRow = rowOf('unknown_device', ['decision_reason'])

/** Why a device that somebody wants to register was refused; null when it was not. Over all companies. */
export function selectRefusal(names: readonly string[]) {
  return unknownDeviceRow.select`
    from unknown_device
    where imei = any (${names}::text[]) and state = 'refused' and reason = 'unknown' limit 1`
}

export type UnknownRow = {
  name: string
  protocol: string
  reason: string
  first_seen_at: Date
  last_seen_at: Date
  last_seen_micros: string
  attempts: number
  address: string
  agent_id: number
  area_id: number | null
  state: string
  decided_at: Date | null
  decided_by_name: string | null
  decision_reason: string | null
  vehicle_id: number | null
  vehicle_number: string | null
  vehicle_protocol: string | null
  heard_at: Date | null
}

export type UnknownPlace = { readonly micros: string; readonly name: string }

type Wanted = { readonly scope: Scope; readonly filter: UnknownDeviceFilter }

const visible = ({ agentIds, areaIds }: Scope) => sql`u.agent_id = any (${agentIds}::bigint[])
  and (u.area_id is null or u.area_id = any (${areaIds}::bigint[]))`

/** One that was unknown and has been registered since needs nobody any more. */
const stateNow = sql<string>`case when u.state = 'open' and u.reason = 'unknown' and d.vehicle_id is not null
  then 'accepted' else u.state end`

const source = (scope: Scope) => sql`
  unknown_device u
  left join lateral (
    select x.vehicle_id from device x where x.imei = u.imei and ${within('x', scope)}
    union all select x.vehicle_id from device x where x.terminal_number = u.imei and ${within('x', scope)} limit 1
  ) d on true`

function conditionsOf({ scope, filter }: Wanted) {
  const found = [visible(scope)]
  const { keyword, protocol, reason } = filter
  if (keyword !== undefined && keyword !== '') {
    found.push(sql`(${startsWith(sql`u.imei`, keyword)} or ${startsWith(sql`u.address`, keyword)})`)
  }
  if (protocol !== undefined) found.push(sql`u.protocol = ${protocol}`)
  if (reason !== undefined) found.push(sql`u.reason = ${reason}`)
  return sql.join(found, sql` and `)
}

const columns = (scope: Scope) => sql`
  select u.imei as name, u.protocol, u.reason, u.first_seen_at, u.last_seen_at,
    (extract(epoch from u.last_seen_at) * 1000000)::bigint::text as last_seen_micros, u.attempts, u.address, u.agent_id,
    u.area_id, ${stateNow} as state, u.decided_at, u.decided_by_name, u.decision_reason, v.id as vehicle_id,
    v.number as vehicle_number, v.protocol as vehicle_protocol, s.heard_at
  from ${source(scope)} left join vehicle v on v.id = d.vehicle_id left join vehicle_status s on s.vehicle_id = v.id`

export function selectUnknown(wanted: Wanted & { after: UnknownPlace | null; limit: number }) {
  const { scope, filter, after, limit } = wanted
  const conditions = [conditionsOf(wanted)]
  if (filter.state !== undefined) conditions.push(sql`${stateNow} = ${filter.state}`)
  if (after !== null) {
    const at = sql`(timestamptz 'epoch' + ${after.micros}::bigint * interval '1 microsecond')`
    conditions.push(sql`(u.last_seen_at, u.imei) < (${at}, ${after.name})`)
  }
  return sql<UnknownRow>`${columns(scope)} where ${sql.join(conditions, sql` and `)}
    order by u.last_seen_at desc, u.imei desc limit ${limit}`
}

export function countUnknown(wanted: Wanted) {
  return sql<{ state: string; count: number }>`
    select ${stateNow} as state, count(*) as count from ${source(wanted.scope)}
    where ${conditionsOf(wanted)} group by 1`
}

/** One of the scope, locked until the transaction ends. */
export async function lockUnknown(
  tx: Tx,
  { name, scope }: { name: string; scope: Scope },
): Promise<UnknownRow | undefined> {
  await sql`select u.imei from unknown_device u where u.imei = ${name} and ${visible(scope)} for update`.execute(tx)
  const { rows } = await sql<UnknownRow>`
    ${columns(scope)} where u.imei = ${name} and ${visible(scope)}`.execute(tx)
  return rows[0]
}

export type Decision = {
  readonly name: string
  readonly state: UnknownDeviceState
  readonly by: { readonly id: number; readonly name: string } | null
  readonly at: Date | null
  readonly reason: string | null
  /** Whose it is from now on. */
  readonly place: { readonly agentId: number; readonly areaId: number | null }
}

export async function decideUnknown(tx: Tx, { name, state, by, at, reason, place }: Decision): Promise<void> {
  await sql`
    update unknown_device set state = ${state}, decided_at = ${at}::timestamptz, decided_by = ${by?.id ?? null}::bigint,
      decided_by_name = ${by?.name ?? null}, decision_reason = ${reason}, agent_id = ${place.agentId},
      area_id = ${place.areaId}::bigint
    where imei = ${name}`.execute(tx)
}

function oneOf<T extends string>(values: readonly T[], value: string): T {
  const found = values.find((one) => one === value)
  if (found === undefined) throw new RangeError(`unknown value ${value}`)
  return found
}

export const stateOf = (row: Pick<UnknownRow, 'state'>): UnknownDeviceState => oneOf(unknownDeviceStates, row.state)

export function unknownOf(row: UnknownRow): UnknownDevice {
  const { vehicle_id: id, vehicle_number: number, vehicle_protocol: protocol } = row
  return {
    name: row.name,
    protocol: protocolOf(row.protocol),
    reason: oneOf(heldReasons, row.reason),
    firstSeenAt: row.first_seen_at.getTime(),
    lastSeenAt: row.last_seen_at.getTime(),
    tries: row.attempts,
    address: row.address,
    state: stateOf(row),
    decidedAt: row.decided_at?.getTime() ?? null,
    decidedBy: row.decided_by_name,
    note: row.decision_reason,
    vehicle:
      id === null || number === null || protocol === null
        ? null
        : { id, number, protocol: protocolOf(protocol), heardAt: row.heard_at?.getTime() ?? null },
  }
}
