import { sql, type RawBuilder } from 'kysely'
import { deviceProtocols, type DeviceProtocol } from '@saddle/contract/fleet/protocols.ts'
import {
  importProblemLabels,
  importProblems,
  vehicleImportList,
  vehicleImportRowList,
  vehicleImportStates,
  type ImportProblem,
} from '@saddle/contract/production/importWords.ts'
import { columnTable } from '#kit/db/columnTable.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { tenantFilter } from '#kit/db/tenantFilter.ts'
import { tableList } from '#kit/list/tableList.ts'
import type { JudgedLine } from './rules.ts'

const codes = { state: vehicleImportStates, protocol: deviceProtocols } as const

const importColumns = rowsOf(
  rowOf('vehicle_import', 'i', [
    'id',
    'agent_id',
    'area_id',
    'state',
    'name',
    'protocol',
    'total',
    'bad',
    'made',
    'created_at',
    'created_by',
    'committed_at',
    'committed_by',
    'ended_at',
    'ended_by',
  ]),
  rowOf('agent', 'agent', ['company']),
  rowOf('service_area', 'area', ['name as area_name']),
).codes(codes)

export const importRows = tableList(vehicleImportList, {
  table: 'vehicle_import',
  alias: 'i',
  tenant: 'area',
  columns: importColumns,
  joins: sql`join agent on agent.id = i.agent_id join service_area area on area.id = i.area_id`,
  sorts: { created: ['created_at', 'instant'] },
  find: ({ states = vehicleImportStates, protocol, text, id }) => ({
    runs: { column: 'state', type: 'text', values: states },
    narrowed: [id !== undefined && sql`i.id = ${id}`],
    where: [
      protocol !== undefined && sql`i.protocol = ${protocol}`,
      text !== undefined && sql`strpos(lower(i.name), lower(${text})) > 0`,
    ],
  }),
})
export const presentImport = importColumns.present

const lineColumns = rowOf('vehicle_import_row', 'r', [
  'id',
  'import_id',
  'line',
  'number',
  'imei',
  'serial',
  'mac',
  'iccid',
  'model',
  'problems',
])

export const lineRows = tableList(vehicleImportRowList, {
  table: 'vehicle_import_row',
  alias: 'r',
  tenant: 'area',
  columns: lineColumns,
  sorts: { line: ['line', 'whole'] },
  find: ({ importId, problems, isBad, text }) => ({
    narrowed: [importId !== undefined && sql`r.import_id = ${importId}`],
    where: [
      problems !== undefined && sql`r.problems && ${problems}::text[]`,
      isBad !== undefined && sql`r.is_bad = ${isBad}`,
      text !== undefined && sql`(r.number = upper(${text}) or r.imei = ${text})`,
    ],
  }),
})

const problemOf = (code: string): ImportProblem | undefined => importProblems.find((one) => one === code)

export function presentLine(row: RowOf<typeof lineColumns>) {
  const shown = lineColumns.present(row)
  const problems = row.problems.map(problemOf).filter((one) => one !== undefined)
  return { ...shown, problems, reasons: problems.map((one) => importProblemLabels[one]).join('、') }
}

const importRow = rowOf('vehicle_import', 'i', [
  'id',
  'agent_id',
  'area_id',
  'state',
  'name',
  'protocol',
  'total',
  'bad',
  'made',
]).codes(codes)
export type ImportRow = RowOf<typeof importRow>

/** The batch when it lies in the scope, locked until the end of the transaction. */
export async function lockImport(tx: Tx, { id, scope }: { id: number; scope: Scope }): Promise<ImportRow | undefined> {
  const { rows } = await importRow.select`
    from vehicle_import i where i.id = ${id} and ${tenantFilter('i', scope)} for update`.execute(tx)
  return rows[0]
}

/** The batch when it lies in the scope. */
export const selectImport = ({ id, scope }: { id: number; scope: Scope }) => importRow.select`
  from vehicle_import i where i.id = ${id} and ${tenantFilter('i', scope)}`

const areaRow = rowOf('service_area', 'a', ['agent_id', 'name'])

/** Company and name of an area of the scope. */
export const selectArea = ({ areaId, scope }: { areaId: number; scope: Scope }) => areaRow.select`
  from service_area a where a.id = ${areaId}
    and a.agent_id = any (${scope.agentIds}::bigint[]) and a.id = any (${scope.areaIds}::bigint[])`

const openRow = rowOfValues({ open: computed('integer', sql`count(*)`) })

/** Batches of a company that wait for a decision. */
export const selectOpenImports = (agentId: number) => openRow.select`
  from vehicle_import i where i.agent_id = ${agentId} and i.state = 'checked'`

interface Line extends JudgedLine {
  readonly importId: number
  readonly agentId: number
  readonly areaId: number
}
/** Lines of a file, many at a time. */
export const lineTable = columnTable<Line>()('vehicle_import_row', {
  import_id: ['bigint', (row) => row.importId],
  agent_id: ['bigint', (row) => row.agentId],
  area_id: ['bigint', (row) => row.areaId],
  line: ['integer', (row) => row.line],
  number: ['text', (row) => row.number],
  imei: ['text', (row) => row.imei],
  serial: ['text', (row) => row.serial],
  mac: ['text', (row) => row.mac],
  iccid: ['text', (row) => row.iccid],
  model: ['text', (row) => row.model],
  problems: ['text[]', (row) => row.problems],
})

interface Judged {
  readonly id: number
  readonly agentId: number
}

/** Adds a reason to the lines `r` of a batch that meet a condition and do not have it yet. */
const add = (id: number, problem: ImportProblem, condition: RawBuilder<unknown>) => sql`
  update vehicle_import_row r set problems = r.problems || ${problem}::text
  where r.import_id = ${id} and ${condition} and not ${problem}::text = any (r.problems)`

const parts = ['number', 'imei', 'serial', 'mac', 'iccid'] as const

/** Tells the planner of the lines: it would look for each of them by reading all others. */
export const analyzeLines = sql`select analyze_vehicles()`

/** Names the lines that another line of the file contradicts, and those whose model nobody knows. */
export async function judgeFile(
  tx: Tx,
  { id, protocol, newModels }: { id: number; protocol: DeviceProtocol; newModels: readonly string[] },
): Promise<void> {
  for (const part of parts) {
    const column = sql.ref(`x.${part}`)
    await sql`
      update vehicle_import_row r set problems = r.problems || ${`${part}_double`}::text
      from (select x.id, count(*) over (partition by ${column}) as times
        from vehicle_import_row x where x.import_id = ${id} and ${column} <> '') d
      where d.id = r.id and d.times > 1`.execute(tx)
  }
  const unknown = sql`r.model in (
    select m.model from (select distinct x.model from vehicle_import_row x where x.import_id = ${id}) m
    where m.model <> all (${newModels}::text[])
      and not exists (select from vehicle_model k where k.name = m.model and k.protocol = ${protocol})
      and not exists (select from vehicle v where v.model = m.model and v.protocol = ${protocol}))`
  await add(id, 'model_unknown', unknown).execute(tx)
}

/** Names the lines whose numbers another vehicle has by now, of whichever company, and devices that somebody refused. */
export async function judgeTaken(tx: Tx, { id, agentId }: Judged): Promise<void> {
  const taken = {
    number_taken: sql`exists (select from vehicle v where v.number = r.number)`,
    imei_taken: sql`exists (select from device d where d.imei = r.imei)`,
    serial_taken: sql`r.serial <> '' and exists (
      select from production_unit u where u.agent_id = ${agentId} and u.serial = r.serial)`,
    mac_taken: sql`r.mac <> '' and exists (select from production_unit u where u.mac = r.mac)`,
    iccid_taken: sql`r.iccid <> '' and exists (select from production_unit u where u.iccid = r.iccid)`,
    imei_refused: sql`exists (
      select from unknown_device n where n.imei = r.imei and n.state = 'refused' and n.reason = 'unknown')`,
  } as const satisfies Partial<Record<ImportProblem, RawBuilder<unknown>>>
  for (const [problem, condition] of Object.entries(taken)) {
    await add(id, problem as keyof typeof taken, condition).execute(tx)
  }
}

const countRow = rowOfValues({
  total: computed('integer', sql`count(*)`),
  bad: computed('integer', sql`count(*) filter (where r.is_bad)`),
})

/** Counts the lines of a batch and writes it down. */
export async function countLines(tx: Tx, id: number): Promise<{ total: number; bad: number }> {
  const { rows } = await countRow.select`from vehicle_import_row r where r.import_id = ${id}`.execute(tx)
  const { total, bad } = rows[0] ?? { total: 0, bad: 0 }
  if (total > 0) await tx.updateTable('vehicle_import').set({ total, bad }).where('id', '=', id).execute()
  return { total, bad }
}

/** Good lines of a batch as vehicles that the fleet takes into stock. */
export const stockOf = ({ id, protocol }: Pick<ImportRow, 'id' | 'protocol'>) => sql`
  select r.agent_id, r.area_id, r.number, r.imei, r.model, ${protocol}::text as protocol
  from vehicle_import_row r where r.import_id = ${id} and not r.is_bad`

/** Names the batch for the transaction: vehicles that are added from then on are its units, with the numbers of their parts. */
export const nameBatch = (id: number) => sql`select set_config('app.import_id', ${String(id)}, true)`

/** Vehicles of a batch. */
export const vehiclesOf = (id: number) => sql`select u.vehicle_id from production_unit u where u.import_id = ${id}`

const stateRow = rowsOf(
  rowOf('vehicle_import', 'i', ['state']).codes(codes),
  rowOfValues({ batches: computed('integer', sql`count(*)`), vehicles: computed('integer', sql`sum(i.made)`) }),
)
export const presentState = stateRow.present

/** Batches and vehicles by state. */
export const selectStates = (scope: Scope) => stateRow.select`
  from vehicle_import i where ${tenantFilter('i', scope)} group by i.state order by i.state`

const reasonRow = rowOfValues({
  problem: computed('text', sql`p.problem`),
  rows: computed('integer', sql`count(*)`),
}).codes({ problem: importProblems })
export const presentReason = reasonRow.present

/** Lines of a batch that was looked up, by reason, the most frequent first. */
export const selectReasons = (id: number) => reasonRow.select`
  from vehicle_import_row r cross join unnest(r.problems) p (problem)
  where r.import_id = ${id} group by p.problem order by count(*) desc, p.problem`

const heardRow = rowOfValues({ heard: computed('integer', sql`count(*)`) })

/** Vehicles of a batch that was looked up whose device has called. */
export const selectHeard = (id: number) => heardRow.select`
  from production_unit u join vehicle_status s on s.vehicle_id = u.vehicle_id
  where u.import_id = ${id} and s.heard_at is not null`

const unitRow = rowsOf(
  rowOf('vehicle', 'v', ['id', 'agent_id', 'area_id', 'number', 'model', 'state']),
  rowOf('device', 'd', ['imei']),
  rowOf('production_unit', 'u', ['serial', 'mac', 'iccid', 'stage', 'tested_at']),
  rowOf('vehicle_status', 's', ['heard_at']),
)
export type UnitRow = RowOf<typeof unitRow>

/** A vehicle of the scope as production sees it, locked until the end of the transaction. */
export async function lockUnit(
  tx: Tx,
  { vehicleId, scope }: { vehicleId: number; scope: Scope },
): Promise<UnitRow | undefined> {
  const { rows } = await unitRow.select`
    from vehicle v join device d on d.vehicle_id = v.id join production_unit u on u.vehicle_id = v.id
      join vehicle_status s on s.vehicle_id = v.id
    where v.id = ${vehicleId} and ${tenantFilter('v', scope)} for update of v, u`.execute(tx)
  return rows[0]
}
