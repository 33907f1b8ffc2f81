import { sql, type Kysely, type RawBuilder } from 'kysely'
import type { DeviceProtocol } from '@saddle/contract/fleet/protocols.ts'
import { mapAlarms, type Vehicle } from '@saddle/contract/fleet/vehicles.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { DB } from '#kit/db/types.ts'
import { prepareQuery } from '#kit/db/prepared.ts'
import { unnest } from '#kit/db/unnest.ts'
import { countedState, lowBatteryBelow, lowBatteryCondition, offlineMinutes } from '../states/counted.ts'
import type { ContactableState } from '../states/rules.ts'
import { selectNow } from './now.ts'

export type VehicleKey = {
  readonly id?: number | undefined
  readonly number?: string | undefined
  readonly imei?: string | undefined
}

/** Narrows a query over vehicles `v` and devices `d` to the one that all given keys name, within the scope. */
function namedBy<Q extends Narrowable<Q>>(query: Q, { by, scope }: Naming): Q {
  let named = query
    .where('v.agent_id', '=', sql<number>`any (${scope.agentIds}::bigint[])`)
    .where('v.area_id', '=', sql<number>`any (${scope.areaIds}::bigint[])`)
  if (by.id !== undefined) named = named.where('v.id', '=', by.id)
  if (by.number !== undefined) named = named.where('v.number', '=', by.number)
  if (by.imei !== undefined) named = named.where('d.imei', '=', by.imei)
  return named
}

type Naming = { readonly by: VehicleKey; readonly scope: Scope }
type NamingColumn = 'v.agent_id' | 'v.area_id' | 'v.id' | 'v.number' | 'd.imei'
type Narrowable<Q> = { where(column: NamingColumn, operator: '=', value: RawBuilder<number> | number | string): Q }

/** The vehicle that all given keys name, within the scope. */
export function selectIdentity(kysely: Kysely<DB>, naming: Naming) {
  const query = kysely.selectFrom('vehicle as v').innerJoin('device as d', 'd.vehicle_id', 'v.id').select('v.id')
  return namedBy(query, naming)
}

/** Everything that a vehicle's panel shows. */
export function selectPanel(kysely: Kysely<DB>, naming: Naming) {
  const query = selectNow(kysely)
    .innerJoin('device as d', 'd.vehicle_id', 'v.id')
    .innerJoin('agent', 'agent.id', 'v.agent_id')
    .innerJoin('service_area', 'service_area.id', 'v.area_id')
    .select(['v.number', 'v.model', 'v.protocol', 'd.imei', 'agent.company', 'service_area.name as area_name'])
    .select(['d.firmware', 'v.last_ride_at', 'v.created_at'])
    .select([offlineMinutes.as('offline_minutes'), lowBatteryBelow().as('low_battery_below')])
    .select(
      sql<Vehicle['openAlarms']>`coalesce((
        select jsonb_agg(jsonb_build_object('id', a.id, 'kind', a.kind, 'openedAt', trunc(extract(epoch from a.opened_at) * 1000))
          order by a.opened_at desc, a.id)
        from vehicle_alarm a where a.vehicle_id = s.vehicle_id and a.closed_at is null
      ), '[]'::jsonb)`.as('alarms'),
    )
    .select(
      sql<Vehicle['openTasks']>`coalesce((
        select jsonb_agg(jsonb_build_object('id', t.id, 'kind', t.kind, 'personName', t.person_name,
          'openedAt', trunc(extract(epoch from t.opened_at) * 1000)) order by t.id desc)
        from task t where t.vehicle_id = s.vehicle_id and t.done_at is null
      ), '[]'::jsonb)`.as('tasks'),
    )
  // The keys stand on the tables themselves: behind a sub-select every vehicle of the scope would be looked at.
  return namedBy(query, naming)
}

type PanelValues = Required<VehicleKey> & { readonly agentIds: readonly number[]; readonly areaIds: readonly number[] }

function preparePanel(keys: readonly (keyof VehicleKey)[]) {
  return prepareQuery({
    values: ['agentIds', 'areaIds', ...keys],
    build: (kysely, { agentIds, areaIds, ...by }: PanelValues) =>
      selectPanel(kysely, { by, scope: { agentIds, areaIds, operatorId: null } }),
  })
}

const panels = new Map<string, ReturnType<typeof preparePanel>>()

/** The panel's query with its values filled in: the most asked of all, written once for each way of naming a vehicle. */
export function panelQuery({ by, scope }: Naming) {
  const keys = (['id', 'number', 'imei'] as const).filter((key) => by[key] !== undefined)
  const name = keys.join()
  const panel = panels.get(name) ?? preparePanel(keys)
  panels.set(name, panel)
  const { agentIds, areaIds } = scope
  return panel({ id: 0, number: '', imei: '', ...by, agentIds, areaIds })
}

/** SQL of `worstAlarm`: the place of an alarm's kind in the order of the map, counted from 1. */
const alarmPlace = sql`coalesce(array_position(${[...mapAlarms]}::text[], kind), ${sql.lit(mapAlarms.length)})`

/** Vehicles of the scope by their most urgent open alarm. */
export function selectAlarmTally(scope: Scope) {
  return rowOfValues({
    place: computed('integer', sql`w.place`),
    total: computed('bigint', sql`count(*)`),
  }).select`
    from (
      select min(${alarmPlace}) as place from vehicle_alarm
      where closed_at is null and agent_id = any (${scope.agentIds}::bigint[])
        and area_id = any (${scope.areaIds}::bigint[])
      group by vehicle_id
    ) w
    group by w.place`
}

/** One row for each state that occurs, as the map shows it: an offline vehicle is `non_contactable`. */
export function selectTally(options: { scope: Scope; nowMs: number }) {
  const { scope, nowMs } = options
  const agents = sql`any (${scope.agentIds}::bigint[])`
  const areas = sql`any (${scope.areaIds}::bigint[])`
  return rowOfValues({
    state: computed('text', countedState(nowMs)),
    total: computed('bigint', sql`count(*)`),
    low_battery: computed('bigint', sql`count(*) filter (where ${lowBatteryCondition})`),
    alarms: computed('bigint', sql`coalesce(sum(a.alarms), 0)`),
  }).select`
    from vehicle v
    join vehicle_status s on s.vehicle_id = v.id
    left join (
      select vehicle_id, count(*) as alarms from vehicle_alarm
      where closed_at is null and agent_id = ${agents} and area_id = ${areas}
      group by vehicle_id
    ) a on a.vehicle_id = v.id
    where v.agent_id = ${agents} and v.area_id = ${areas}
    group by 1`
}

export type NewVehicle = {
  readonly agentId: number
  readonly areaId: number
  readonly number: string
  readonly imei: string
  readonly model: string
  readonly protocol: DeviceProtocol
  readonly terminalNumber?: string | undefined
  readonly plate?: string | undefined
  readonly registrationOpenUntil?: number | undefined
  readonly state: ContactableState
  /** Where it was put; the vehicle itself has not spoken yet. */
  readonly position: { readonly lat: number; readonly lng: number } | null
}

const vehicleRow = rowOf('vehicle', ['id', 'number'])

/** Adds the vehicles whose number is not known yet, with device and empty status; returns the ids of the new ones. */
export async function insertVehicles(tx: Tx, vehicles: readonly NewVehicle[], nowMs: number): Promise<number[]> {
  const rows = unnest<NewVehicle>({
    rows: vehicles,
    alias: 'r',
    columns: {
      agent_id: ['bigint', (row) => row.agentId],
      area_id: ['bigint', (row) => row.areaId],
      number: ['text', (row) => row.number],
      imei: ['text', (row) => row.imei],
      model: ['text', (row) => row.model],
      protocol: ['text', (row) => row.protocol],
      terminal_number: ['text', (row) => row.terminalNumber ?? null],
      plate: ['text', (row) => row.plate ?? null],
      open_until: ['timestamptz', (row) => row.registrationOpenUntil ?? null],
      state: ['text', (row) => row.state],
      lat: ['float8', (row) => row.position?.lat ?? null],
      lng: ['float8', (row) => row.position?.lng ?? null],
    },
  })
  const now = sql`${new Date(nowMs).toISOString()}::timestamptz`
  const added = await vehicleRow.returning`
    insert into vehicle (agent_id, area_id, number, model, protocol, plate, state, state_changed_at, created_at)
    select r.agent_id, r.area_id, r.number, r.model, r.protocol, r.plate, r.state, ${now}, ${now} from ${rows}
    on conflict (number) do nothing
    `.execute(tx)
  const ids = added.rows.map((row) => row.id)
  if (ids.length === 0) return ids
  await sql`
    insert into device (vehicle_id, agent_id, area_id, imei, terminal_number, registration_open_until)
    select v.id, v.agent_id, v.area_id, r.imei, r.terminal_number, r.open_until from ${rows} join vehicle v on v.number = r.number
    where v.id = any (${ids}::bigint[])`.execute(tx)
  await sql`
    insert into vehicle_status (vehicle_id, agent_id, area_id, lat, lng, position_at)
    select v.id, v.agent_id, v.area_id, r.lat, r.lng, case when r.lat is null then null else ${now} end
    from ${rows} join vehicle v on v.number = r.number
    where v.id = any (${ids}::bigint[])`.execute(tx)
  return ids
}
