import { sql } from 'kysely'
import type { VehicleModelFilter } from '@saddle/contract/fleet/models.ts'
import { deviceProtocols } from '@saddle/contract/fleet/protocols.ts'
import {
  heldReasons,
  unknownDeviceList,
  unknownDeviceStates,
  type UnknownDevice,
  type UnknownDeviceState,
} from '@saddle/contract/fleet/unknownDevices.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { startsWith } from '#kit/db/startsWith.ts'
import { tenantFilter } from '#kit/db/tenantFilter.ts'
import { tableList } from '#kit/list/tableList.ts'

const protocol = { protocol: deviceProtocols }

export const accessRow = rowsOf(
  rowOf('vehicle', 'v', ['id as vehicle_id', 'agent_id', 'area_id', 'number', 'plate', 'model', 'protocol']),
  rowOf('device', 'd', ['imei', 'terminal_number', 'secret_generation', 'registration_open_until']),
  rowOf('agent', 'agent', ['company']),
  rowOf('service_area', 'area', ['name as area_name']),
  rowOf('vehicle_status', 's', ['heard_at']),
  rowOfValues({ is_claimed: computed('boolean', sql`d.terminal_mark is not null`) }),
).codes(protocol)
export type AccessRow = RowOf<typeof accessRow>

/** One vehicle of the scope with what its device needs to sign in. */
export function selectAccess({ vehicleId, scope }: { vehicleId: number; scope: Scope }) {
  return accessRow.select`
    from vehicle v join device d on d.vehicle_id = v.id join vehicle_status s on s.vehicle_id = v.id
    join agent on agent.id = v.agent_id join service_area area on area.id = v.area_id
    where v.id = ${vehicleId} and ${tenantFilter('v', scope)}`
}

/** The same, locked against others who change it, until the transaction ends. */
export async function lockAccess(tx: Tx, of: { vehicleId: number; scope: Scope }): Promise<AccessRow | undefined> {
  await sql`select v.id from vehicle v where v.id = ${of.vehicleId} and ${tenantFilter('v', of.scope)} for update`.execute(
    tx,
  )
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

export const modelRow = rowsOf(
  rowOf('vehicle', 'v', ['model', 'protocol']),
  rowOfValues({
    vehicles: computed('integer', sql`count(*)`),
    device_profiles: computed('text[]', sql`array_agg(distinct d.profile)`),
  }),
).codes(protocol)
export type CountedModel = RowOf<typeof modelRow>

/** The models of the scope's vehicles by protocol, the most frequent first. */
export function selectModels({ scope, filter, model, limit }: WantedModels) {
  const { keyword = '', protocols } = filter
  return modelRow.select`
    from vehicle v join device d on d.vehicle_id = v.id
    where ${tenantFilter('v', scope)}
      and ${model === undefined ? sql`true` : sql`v.model = ${model}`}
      and ${protocols === undefined ? sql`true` : sql`v.protocol = any (${protocols}::text[])`}
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

const refusalRow = rowOf('unknown_device', ['decision_reason'])

/** Why a device that somebody wants to register was refused; null when it was not. Over all companies. */
export function selectRefusal(names: readonly string[]) {
  return refusalRow.select`
    from unknown_device
    where imei = any (${names}::text[]) and state = 'refused' and reason = 'unknown' limit 1`
}

const visible = ({ agentIds, areaIds }: Scope) => sql`u.agent_id = any (${agentIds}::bigint[])
  and (u.area_id is null or u.area_id = any (${areaIds}::bigint[]))`

/** The device that has the name as its IMEI or as its terminal number. */
const registered = (scope: Scope) => sql`
  (select x.vehicle_id from device x where x.imei = u.imei and ${tenantFilter('x', scope)}
    union all select x.vehicle_id from device x where x.terminal_number = u.imei and ${tenantFilter('x', scope)} limit 1)`

/** One that was unknown and has been registered since needs nobody any more. */
const stateNow = (isRegistered: ReturnType<typeof sql>) => sql`
  case when u.state = 'open' and u.reason = 'unknown' and ${isRegistered} then 'accepted' else u.state end`

const unknownRow = rowsOf(
  rowOf('unknown_device', 'u', [
    'imei as name',
    'protocol',
    'reason',
    'first_seen_at',
    'last_seen_at',
    'attempts as tries',
    'address',
    'agent_id',
    'area_id',
    'decided_at',
    'decided_by_name as decided_by',
    'decision_reason as note',
  ]).codes({ ...protocol, reason: heldReasons }),
  rowOfValues({ state: computed('text', stateNow(sql`d.vehicle_id is not null`)) }).codes({
    state: unknownDeviceStates,
  }),
  rowOf('vehicle', 'v', ['id as vehicle_id', 'number as vehicle_number', 'protocol as vehicle_protocol'])
    .codes({ vehicle_protocol: deviceProtocols })
    .optional(),
  rowOf('vehicle_status', 's', ['heard_at']).optional(),
)
export type UnknownRow = RowOf<typeof unknownRow>

const vehicleOfDevice = (scope: Scope) => sql`
  left join lateral ${registered(scope)} d on true
  left join vehicle v on v.id = d.vehicle_id left join vehicle_status s on s.vehicle_id = v.id`

export const unknownRows = tableList(unknownDeviceList, {
  table: 'unknown_device',
  alias: 'u',
  id: 'imei',
  idKind: 'text',
  tenant: 'agent',
  columns: unknownRow,
  joins: vehicleOfDevice,
  sorts: { lastSeen: ['last_seen_at', 'instant'] },
  find: ({ keyword, states = unknownDeviceStates, protocols, reasons }, _params: unknown, { scope }) => ({
    // One that is open in its row may be accepted by now.
    runs: { column: 'state', type: 'text', values: states.includes('accepted') ? ['open', ...states] : states },
    where: [
      visible(scope),
      sql`${stateNow(sql`exists ${registered(scope)}`)} = any (${states}::text[])`,
      keyword !== undefined &&
        keyword !== '' &&
        sql`(${startsWith(sql`u.imei`, keyword)} or ${startsWith(sql`u.address`, keyword)})`,
      protocols && sql`u.protocol = any (${protocols}::text[])`,
      reasons && sql`u.reason = any (${reasons}::text[])`,
    ],
  }),
})

/** One of the scope, locked until the transaction ends. */
export async function lockUnknown(
  tx: Tx,
  { name, scope }: { name: string; scope: Scope },
): Promise<UnknownRow | undefined> {
  await sql`select u.imei from unknown_device u where u.imei = ${name} and ${visible(scope)} for update`.execute(tx)
  const { rows } = await unknownRow.select`
    from unknown_device u ${vehicleOfDevice(scope)} where u.imei = ${name} and ${visible(scope)}`.execute(tx)
  return rows[0]
}

export type Decision = {
  readonly name: string
  readonly state: UnknownDeviceState
  readonly by: { readonly id: number; readonly name: string } | null
  readonly at: Date | null
  readonly reason: string | null
  /** Whose it is from now on. */
  readonly tenant: { readonly agentId: number; readonly areaId: number | null }
}

export async function decideUnknown(tx: Tx, { name, state, by, at, reason, tenant }: Decision): Promise<void> {
  await sql`
    update unknown_device set state = ${state}, decided_at = ${at}::timestamptz, decided_by = ${by?.id ?? null}::bigint,
      decided_by_name = ${by?.name ?? null}, decision_reason = ${reason}, agent_id = ${tenant.agentId},
      area_id = ${tenant.areaId}::bigint
    where imei = ${name}`.execute(tx)
}

export function unknownOf(row: UnknownRow): UnknownDevice {
  const {
    agentId: _agent,
    areaId: _area,
    vehicleId,
    vehicleNumber,
    vehicleProtocol,
    heardAt,
    ...shown
  } = unknownRow.present(row)
  const isFree = vehicleId === null || vehicleNumber === null || vehicleProtocol === null
  const vehicle = isFree ? null : { id: vehicleId, number: vehicleNumber, protocol: vehicleProtocol, heardAt }
  return { ...shown, vehicle }
}
