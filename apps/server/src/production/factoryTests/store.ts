import { sql } from 'kysely'
import { commandStates } from '@saddle/contract/fleet/commands.ts'
import {
  factoryStepLabels,
  factorySteps,
  factoryStepStates,
  factoryTermsSchema,
  factoryTestList,
  factoryTestStates,
  reworkList,
  reworkStates,
  usualFactoryTerms,
  wordsOfFailures,
  type FactoryFailedStep,
  type FactoryStepResult,
  type FactoryTerms,
  type FactoryTest,
  type Rework,
} from '@saddle/contract/production/factoryWords.ts'
import { unitStages } from '@saddle/contract/production/units.ts'
import type { Tx } from '#kit/db/pool.ts'
import { builtJson, computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { tenantFilter } from '#kit/db/tenantFilter.ts'
import { tableList } from '#kit/list/tableList.ts'
import type { Seen } from './rules.ts'

const ofVehicle = sql`
  join vehicle v on v.id = t.vehicle_id
  join agent on agent.id = t.agent_id join service_area area on area.id = t.area_id`
const numbered = (number: string) => sql`t.vehicle_id in (select x.id from vehicle x where x.number = upper(${number}))`
const ms = (column: string) => sql`(extract(epoch from ${sql.ref(column)}) * 1000)::bigint`

const steps = sql`(
  select coalesce(jsonb_agg(jsonb_build_object('step', s.step, 'state', s.state, 'begunAt', ${ms('s.begun_at')},
    'endedAt', ${ms('s.ended_at')}, 'failure', s.failure, 'measured', s.measured) order by s.position), '[]')
  from factory_test_step s where s.test_id = t.id)`

/** What a test found, of the rework that follows it. */
const failures = sql`(
  select coalesce(jsonb_agg(jsonb_build_object('step', s.step, 'failure', s.failure) order by s.position), '[]')
  from factory_test_step s where s.test_id = t.test_id and s.state = 'failed')`

const testColumns = rowsOf(
  rowOf('factory_test', 't', ['id', 'vehicle_id', 'agent_id', 'area_id', 'state', 'begun_at', 'begun_by', 'ended_at']),
  rowOf('vehicle', 'v', ['number', 'model']),
  rowOf('agent', 'agent', ['company']),
  rowOf('service_area', 'area', ['name as area_name']),
  rowOfValues({ steps: builtJson<FactoryStepResult[]>(steps) }),
).codes({ state: factoryTestStates })

/** A test as the contract writes it. */
export function presentTest(row: RowOf<typeof testColumns>): FactoryTest {
  const test = testColumns.present(row)
  const failed = test.steps.filter(({ state }) => state === 'failed').map(({ step }) => factoryStepLabels[step])
  return { ...test, failed: failed.join('、') }
}

export const testRows = tableList(factoryTestList, {
  table: 'factory_test',
  alias: 't',
  tenant: 'area',
  columns: testColumns,
  joins: ofVehicle,
  sorts: { begun: ['begun_at', 'instant'] },
  find: ({ states = factoryTestStates, number, vehicleId, id }) => ({
    runs: { column: 'state', type: 'text', values: states },
    narrowed: [
      id !== undefined && sql`t.id = ${id}`,
      vehicleId !== undefined && sql`t.vehicle_id = ${vehicleId}`,
      number !== undefined && numbered(number),
    ],
  }),
})

/** Of a vehicle that was looked up: its tests go with it. */
export const selectLatestTest = (vehicleId: number) => testColumns.select`
  from factory_test t ${ofVehicle}
  where t.vehicle_id = ${vehicleId} order by t.id desc limit 1`

const benchRow = rowsOf(
  rowOf('vehicle', 'v', ['id as vehicle_id', 'number', 'model']),
  rowOf('device', 'd', ['imei']),
  rowOf('production_unit', 'u', ['stage']),
  rowOf('vehicle_status', 's', ['heard_at']),
  rowOf('service_area', 'area', ['name as area_name']),
).codes({ stage: unitStages })
export const presentBench = benchRow.present

/** The vehicle of the scope with this number or IMEI. */
export const selectBench = (text: string, scope: Scope) => benchRow.select`
  from vehicle v join device d on d.vehicle_id = v.id join production_unit u on u.vehicle_id = v.id
    join vehicle_status s on s.vehicle_id = v.id join service_area area on area.id = v.area_id
  where v.id in (
      select x.id from vehicle x where x.number = upper(${text}) union all select x.vehicle_id from device x where x.imei = ${text})
    and ${tenantFilter('v', scope)} limit 1`

const reworkColumns = rowsOf(
  rowOf('rework', 't', [
    'id',
    'vehicle_id',
    'agent_id',
    'area_id',
    'state',
    'test_id',
    'reason',
    'opened_at',
    'opened_by',
    'note',
    'done_at',
    'done_by',
  ]),
  rowOf('vehicle', 'v', ['number', 'model']),
  rowOf('agent', 'agent', ['company']),
  rowOf('service_area', 'area', ['name as area_name']),
  rowOfValues({ failures: builtJson<FactoryFailedStep[]>(failures) }),
).codes({ state: reworkStates })

/** A rework as the contract writes it. */
export function presentRework(row: RowOf<typeof reworkColumns>): Rework {
  const rework = reworkColumns.present(row)
  return { ...rework, reason: rework.reason === '' ? wordsOfFailures(rework.failures) : rework.reason }
}

export const reworkRows = tableList(reworkList, {
  table: 'rework',
  alias: 't',
  tenant: 'area',
  columns: reworkColumns,
  joins: ofVehicle,
  sorts: { opened: ['opened_at', 'instant'] },
  find: ({ states = reworkStates, number, vehicleId, id }) => ({
    runs: { column: 'state', type: 'text', values: states },
    narrowed: [
      id !== undefined && sql`t.id = ${id}`,
      vehicleId !== undefined && sql`t.vehicle_id = ${vehicleId}`,
      number !== undefined && numbered(number),
    ],
  }),
})

const lockedTest = rowOf('factory_test', 't', ['vehicle_id', 'agent_id', 'area_id', 'state'])

/** A test of the scope, held until the end of the transaction. */
export async function lockTest(tx: Tx, id: number, scope: Scope): Promise<RowOf<typeof lockedTest> | undefined> {
  const { rows } = await lockedTest.select`
    from factory_test t where t.id = ${id} and ${tenantFilter('t', scope)} for update`.execute(tx)
  return rows[0]
}

const lockedRework = rowOf('rework', 't', ['vehicle_id', 'agent_id', 'area_id', 'state', 'reason', 'test_id'])

export async function lockRework(tx: Tx, id: number, scope: Scope): Promise<RowOf<typeof lockedRework> | undefined> {
  const { rows } = await lockedRework.select`
    from rework t where t.id = ${id} and ${tenantFilter('t', scope)} for update`.execute(tx)
  return rows[0]
}

const termsRow = rowOf('factory_terms', 'f', [
  'agent_id',
  'model',
  'steps',
  'firmware',
  'battery_min_percent',
  'voltage_min_v',
  'voltage_max_v',
  'changed_at',
  'changed_by',
])
export type TermsRow = RowOf<typeof termsRow>

export const termsOf = (row: TermsRow | undefined): FactoryTerms =>
  row === undefined
    ? usualFactoryTerms
    : factoryTermsSchema.parse({
        steps: row.steps,
        firmware: row.firmware,
        batteryMinPercent: row.battery_min_percent,
        voltageMinV: row.voltage_min_v,
        voltageMaxV: row.voltage_max_v,
      })

/** Of a company that was looked up. */
export const selectTerms = ({ agentId, model }: { readonly agentId: number; readonly model: string }) =>
  termsRow.select`from factory_terms f where f.agent_id = ${agentId} and f.model = ${model}`

export const selectAllTerms = (scope: Scope) =>
  termsRow.select`from factory_terms f where f.agent_id = any (${scope.agentIds}::bigint[])`

const modelRow = rowsOf(
  rowOfValues({
    agent_id: computed('bigint', sql`m.agent_id`),
    model: computed('text', sql`m.model`),
    vehicles: computed('bigint', sql`m.vehicles`),
  }),
  rowOf('agent', 'agent', ['company']),
)

/** Models of the vehicles of the scope, those with most vehicles first. */
export const selectModels = (scope: Scope, limit: number) => modelRow.select`
  from (
    select v.agent_id, v.model, count(*) as vehicles from vehicle v where ${tenantFilter('v', scope)}
    group by v.agent_id, v.model order by count(*) desc, v.agent_id, v.model limit ${limit}
  ) m join agent on agent.id = m.agent_id order by m.vehicles desc, m.agent_id, m.model`

const runningRow = rowsOf(
  rowOf('factory_test', 't', ['id', 'vehicle_id', 'agent_id', 'area_id', 'begun_at', 'begun_by_id', 'begun_by']),
  rowOfValues({ terms: builtJson<unknown>(sql`t.terms`) }),
)
export type RunningTest = RowOf<typeof runningRow>

/** The next running test behind an id, held until the end of the transaction; one that another worker holds is passed over. */
export async function lockNextRunning(tx: Tx, afterId: number): Promise<RunningTest | undefined> {
  const { rows } = await runningRow.select`
    from factory_test t where t.state = 'running' and t.id > ${afterId} order by t.id limit 1 for update of t skip locked`.execute(
    tx,
  )
  return rows[0]
}

const stepRow = rowOf('factory_test_step', 's', ['position', 'step', 'state', 'begun_at', 'command_id']).codes({
  step: factorySteps,
  state: factoryStepStates,
})
export type StepRow = RowOf<typeof stepRow>

export async function selectSteps(tx: Tx, testId: number): Promise<StepRow[]> {
  const { rows } =
    await stepRow.select`from factory_test_step s where s.test_id = ${testId} order by s.position`.execute(tx)
  return rows
}

const seenRow = rowsOf(
  rowOf('vehicle_status', 's', [
    'heard_at',
    'facts_at',
    'position_at',
    'lat',
    'lng',
    'battery_percent',
    'voltage_v',
    'locked',
  ]),
  rowOf('device', 'd', ['firmware']),
  rowOfValues({
    moved_at: computed(
      'timestamptz?',
      sql`(select max(a.last_at) from vehicle_alarm a where a.vehicle_id = s.vehicle_id and a.kind = 'illegal_movement')`,
    ),
  }),
)

/** What the vehicle has said so far. */
export async function selectSeen(tx: Tx, vehicleId: number): Promise<Omit<Seen, 'command'>> {
  const { rows } = await seenRow.select`
    from vehicle_status s join device d on d.vehicle_id = s.vehicle_id where s.vehicle_id = ${vehicleId}`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new Error('a vehicle under test is not there')
  return {
    heardAt: row.heard_at?.getTime() ?? null,
    factsAt: row.facts_at?.getTime() ?? null,
    positionAt: row.position_at?.getTime() ?? null,
    lat: row.lat,
    lng: row.lng,
    batteryPercent: row.battery_percent,
    voltageV: row.voltage_v,
    locked: row.locked,
    firmware: row.firmware,
    movedAt: row.moved_at?.getTime() ?? null,
  }
}

const commandRow = rowOf('vehicle_command', 'c', ['state']).codes({ state: commandStates })

export async function selectCommand(tx: Tx, commandId: number | null): Promise<Seen['command']> {
  if (commandId === null) return null
  const { rows } = await commandRow.select`from vehicle_command c where c.id = ${commandId}`.execute(tx)
  return rows[0] ?? null
}
