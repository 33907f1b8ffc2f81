import { createHash } from 'node:crypto'
import { AppError } from '@saddle/contract/errors.ts'
import type { InputOf } from '@saddle/contract/endpoint.ts'
import {
  riderImportColumns,
  riderImportColumnTitles,
  riderImportFaultsMax,
  riderImportFields,
  riderImportList,
  riderImportRowsMax,
  riderImportsOpenMax,
  type RiderImportColumn,
  type riderImportEndpoints,
} from '@saddle/contract/finance/riderImports.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import { scopeOfAgent } from '#kit/db/scope.ts'
import type { Tx } from '#kit/db/pool.ts'
import { placesOf, type ColumnPlaces } from '#kit/files/sheetColumns.ts'
import { readSheet } from '#kit/files/sheet.ts'
import { sheetTemplate } from '#kit/files/sheetTemplate.ts'
import { serveList } from '#kit/list/serveList.ts'
import type { MoneyDeps } from '../deps.ts'
import { openingBalance } from '../ledger/openingRecipes.ts'
import { judgeDoubles, judgeLine, problemOf, riderColumns, type BroughtRider, type JudgedLine } from './rules.ts'
import {
  faultsOf,
  lockFiles,
  lockImport,
  markImport,
  openRiders,
  presentImport,
  readBooked,
  readKnown,
  readOthers,
  riderImportRows,
  sealRiders,
  selectFaults,
  type RiderImportRow,
} from './store.ts'

type Deps = Pick<MoneyDeps, 'kit' | 'audit' | 'ledger' | 'riders'>

/** How riders of another system come into the platform, with what they have paid in there. */
export function createRiderImportHandlers(deps: Deps): Handlers<typeof riderImportEndpoints> {
  const { kit } = deps
  const list = serveList(deps, riderImportList, {
    name: 'rider-imports',
    rows: riderImportRows,
    present: (row, { caller }) => presentImport(row, caller),
    file: { action: 'rider_import.export', fields: riderImportFields },
  })
  return {
    listRiderImports: list.page,
    exportRiderImports: list.file,

    riderImportFaults: async ({ id }, { scope }) => {
      const [row] = await kit.db.read(scope, (k) => selectFaults({ id, scope }).compile(k))
      if (row === undefined) throw new AppError('not_found')
      return { suc: true, data: { list: faultsOf(row) } }
    },

    riderImportTemplate: async () => ({ suc: true, data: await template() }),

    checkRiderSheet: async (input, call) => ({ suc: true, data: await check(deps, call, input) }),
    commitRiderImport: async ({ id }, call) => ({ suc: true, data: { id, ...(await commit(deps, call, id)) } }),
    discardRiderImport: async ({ id }, call) => {
      await discard(deps, call, id)
      return { suc: true, data: { id } }
    },
  }
}

/** Reads a file and keeps what can be taken of it, sealed. Nobody is a rider and nothing is booked yet. */
async function check(
  deps: Deps,
  call: SessionCall,
  { agentId, name, base64 }: InputOf<(typeof riderImportEndpoints)['checkRiderSheet']>,
): Promise<{ id: number; total: number; bad: number; cents: number }> {
  const { kit, audit } = deps
  if (!call.scope.agentIds.includes(agentId)) throw new AppError('foreign_scope')
  const bytes = Buffer.from(base64, 'base64')
  const read = await readLines(bytes)
  if (read.length === 0) throw new AppError('sheet_rows', { values: { rows: riderImportRowsMax } })
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return await kit.db.system(async (tx) => {
    await lockFiles(agentId).execute(tx)
    const others = await readOthers(tx, { agentId, sha256 })
    if (others.id !== undefined) throw new AppError('rider_import_known', { values: { id: others.id } })
    if (others.open >= riderImportsOpenMax) throw new AppError('import_too_many', { values: { count: others.open } })
    const { lines, added } = await judgeKnown(deps, tx, agentId, judgeDoubles(read))
    const good = lines.filter(({ problems }) => problems.length === 0)
    const faults = lines.filter(({ problems }) => problems.length > 0)
    const counts = { total: lines.length, bad: faults.length, cents: sumOf(good) }
    const refusedCents = sumOf(faults)
    const { id } = await tx
      .insertInto('rider_import')
      .values({
        agent_id: agentId,
        name,
        sha256,
        ...counts,
        refused_cents: refusedCents,
        added,
        faults: JSON.stringify(faults.slice(0, riderImportFaultsMax).map(({ line, problems }) => ({ line, problems }))),
        rows_sealed: sealRiders(kit.secrets, agentId, good),
        created_at: new Date(kit.clock.now()),
        created_by_id: call.caller.operatorId,
        created_by: call.caller.name,
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await audit.act(tx, call, {
      ...recordOf(agentId, id),
      action: 'rider_import.check',
      after: { name, lines: counts.total, bad: counts.bad, cents: counts.cents },
    })
    return { id, ...counts }
  })
}

const recordOf = (agentId: number, id: number) => ({ agentId, subjectKind: 'rider_import', subjectId: id }) as const
const sumOf = (riders: readonly BroughtRider[]): number => riders.reduce((sum, { cents }) => sum + cents, 0)

/** The lines of a file. Throws sheet_columns and what `readSheet` throws. */
async function readLines(bytes: Buffer): Promise<JudgedLine[]> {
  let places: ColumnPlaces<RiderImportColumn> | null = null
  const read: JudgedLine[] = []
  for await (const lines of readSheet(bytes, { rowsMax: riderImportRowsMax, columns: riderImportColumns.length })) {
    const rows = places === null ? lines.slice(1) : lines
    places ??= placesIn(lines[0]?.cells ?? [])
    for (const row of rows) read.push(judgeLine(row, places))
  }
  return read
}

function placesIn(titles: readonly string[]): ColumnPlaces<RiderImportColumn> {
  const { places, missing } = placesOf(titles, riderColumns)
  if (missing.length > 0) throw new AppError('sheet_columns', { values: { columns: missing.join('、') } })
  return places
}

/** Adds what stands in the way of riders whom the company has, and counts those whom it has not. */
async function judgeKnown(
  { riders }: Deps,
  tx: Tx,
  agentId: number,
  lines: readonly JudgedLine[],
): Promise<{ lines: JudgedLine[]; added: number }> {
  const found = await riders.idsByPhones(
    scopeOfAgent(agentId),
    lines.map(({ phone }) => phone),
  )
  const known = await readKnown(tx, found.flat())
  const judged = lines.map((line, index) => {
    const rider = known.get(found[index]?.[0] ?? 0)
    const problem = rider === undefined ? null : problemOf(rider, line.cents)
    return problem === null ? line : { ...line, problems: [...line.problems, problem] }
  })
  const added = judged.filter(({ problems }, index) => problems.length === 0 && found[index]?.length === 0).length
  return { lines: judged, added }
}

/** The batch that waits for a decision. Throws not_found and import_over. */
async function lockOpen(tx: Tx, call: SessionCall, id: number): Promise<RiderImportRow> {
  const row = await lockImport(tx, { id, scope: call.scope })
  if (row === undefined) throw new AppError('not_found')
  if (row.state !== 'checked') throw new AppError('import_over')
  return row
}

/** Riders of a statement; the seals of many at once would hold up other calls. */
const ridersAtOnce = 500

/**
 * Adds the riders and books what they bring, all or none. Balances are money that somebody typed into a file: another person
 * than the one who uploaded it commits them.
 */
async function commit(
  deps: Deps,
  call: SessionCall,
  id: number,
): Promise<{ riders: number; added: number; cents: number }> {
  const { kit, audit, ledger, riders } = deps
  return await kit.db.system(async (tx) => {
    const row = await lockOpen(tx, call, id)
    const { agent_id: agentId, name, cents } = row
    if (cents > 0 && row.created_by_id === call.caller.operatorId) throw new AppError('second_person_same')
    const brought = openRiders(kit.secrets, row)
    if (brought.length === 0) throw new AppError('import_bad_rows', { values: { bad: row.bad } })
    const { lines, added } = await judgeKnown(
      deps,
      tx,
      agentId,
      brought.map((rider) => ({ ...rider, problems: [] })),
    )
    const changed = lines.filter(({ problems }) => problems.length > 0).length
    if (changed > 0) throw new AppError('rider_import_changed', { values: { rows: changed } })
    await markImport.execute(tx)
    const at = kit.clock.now()
    const entries: ReturnType<typeof openingBalance>[] = []
    for (let from = 0; from < brought.length; from += ridersAtOnce) {
      const part = brought.slice(from, from + ridersAtOnce)
      const ids = await riders.ensure(
        tx,
        part.map(({ phone, name: riderName }) => ({ agentId, phone, name: riderName })),
      )
      for (const [index, rider] of part.entries()) {
        const riderId = ids[index] ?? 0
        if (rider.cents > 0) entries.push(openingBalance({ agentId, riderId, cents: rider.cents, at, file: name }))
      }
    }
    await audit.act(tx, call, {
      ...recordOf(agentId, id),
      action: 'rider_import.commit',
      after: { name, riders: brought.length, added, cents },
    })
    await endImport(deps, tx, call, { id, state: 'committed', added })
    await ledger.postAll(entries, tx)
    await reconcile(tx, { id, agentId, cents, references: entries.map(({ reference }) => reference) })
    return { riders: brought.length, added, cents }
  })
}

/** Keeps what the ledger has of the batch. It is what the file brings, or nothing is committed. */
async function reconcile(
  tx: Tx,
  { id, cents, ...of }: { id: number; agentId: number; cents: number; references: readonly string[] },
): Promise<void> {
  const booked = await readBooked(tx, of)
  if (booked.booked_cents !== cents || booked.booked !== of.references.length)
    throw new Error(`batch ${id} brings ${cents} cents, the ledger has ${booked.booked_cents}`)
  await tx.updateTable('rider_import').set(booked).where('id', '=', id).execute()
}

async function discard(deps: Deps, call: SessionCall, id: number): Promise<void> {
  await deps.kit.db.system(async (tx) => {
    const { agent_id: agentId, name, total } = await lockOpen(tx, call, id)
    await endImport(deps, tx, call, { id, state: 'discarded' })
    await deps.audit.act(tx, call, {
      ...recordOf(agentId, id),
      action: 'rider_import.discard',
      before: { name, lines: total },
    })
  })
}

/** Ends a batch; what was sealed of it goes. */
async function endImport(
  { kit }: Deps,
  tx: Tx,
  call: SessionCall,
  { id, ...ended }: { id: number; state: 'committed' | 'discarded'; added?: number },
): Promise<void> {
  await tx
    .updateTable('rider_import')
    .set({ ...ended, rows_sealed: null, ended_at: new Date(kit.clock.now()), ended_by: call.caller.name })
    .where('id', '=', id)
    .execute()
}

const example = ['13800138000', '张三', '12.50']

const template = () =>
  sheetTemplate({
    name: '用户清单',
    titles: riderImportColumns.map((column) => riderImportColumnTitles[column]),
    example,
  })
