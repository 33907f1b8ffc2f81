import { sql } from 'kysely'
import { AppError } from '@saddle/contract/errors.ts'
import type { SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rethrowTaken } from './taken.ts'
import type { ImportDeps } from './deps.ts'
import { countLines, judgeTaken, lockImport, nameBatch, stockOf, vehiclesOf, type ImportRow } from './store.ts'

/** What becomes of a batch that was checked: committed, undone or discarded. */

/** Runs work on a batch of the scope that is in the given state. As the system: it looks at numbers of every company. */
async function withImport<T>(
  { kit }: ImportDeps,
  call: SessionCall,
  { id, state }: { id: number; state: ImportRow['state'] },
  work: (tx: Tx, row: ImportRow) => Promise<T>,
): Promise<T> {
  return await kit.db.system(async (tx) => {
    const row = await lockImport(tx, { id, scope: call.scope })
    if (row === undefined) throw new AppError('not_found')
    if (row.state !== state) throw new AppError('import_over')
    return await work(tx, row)
  })
}

/** Makes vehicles of the good lines. Numbers that were taken since the file was checked are looked for again. */
export async function commitImport(
  deps: ImportDeps,
  call: SessionCall,
  { id, rows }: { id: number; rows: 'all' | 'good' },
): Promise<number> {
  const { kit, fleet } = deps
  const taken = await withImport(deps, call, { id, state: 'checked' }, async (tx, row) => {
    await judgeTaken(tx, { id, agentId: row.agent_id })
    return (await countLines(tx, id)).bad - row.bad
  })
  // Kept: whoever looks again sees which lines they are.
  if (taken > 0) throw new AppError('import_changed', { values: { rows: taken } })
  return await withImport(deps, call, { id, state: 'checked' }, async (tx, row) => {
    if (rows === 'all' && row.bad > 0) throw new AppError('import_bad_rows', { values: { bad: row.bad } })
    if (row.bad === row.total) throw new AppError('import_bad_rows', { values: { bad: row.bad } })
    await nameBatch(id).execute(tx)
    const made = await fleet.vehicles.stock(tx, stockOf(row), row.total - row.bad).catch(rethrowTaken())
    await tx
      .updateTable('vehicle_import')
      .set({ state: 'committed', made, committed_at: new Date(kit.clock.now()), committed_by: call.caller.name })
      .where('id', '=', id)
      .execute()
    await note(deps, tx, call, { row, action: 'vehicle_import.commit', after: { name: row.name, made } })
    return made
  })
}

/** Takes the vehicles of a batch away again, all or none. */
export async function undoImport(deps: ImportDeps, call: SessionCall, id: number): Promise<number> {
  const { kit, fleet } = deps
  return await withImport(deps, call, { id, state: 'committed' }, async (tx, row) => {
    const removed = await fleet.vehicles.unstock(tx, vehiclesOf(id))
    if (removed === null) throw new AppError('import_in_use')
    await tx
      .updateTable('vehicle_import')
      .set({ state: 'undone', ended_at: new Date(kit.clock.now()), ended_by: call.caller.name })
      .where('id', '=', id)
      .execute()
    await note(deps, tx, call, { row, action: 'vehicle_import.undo', before: { name: row.name, made: row.made } })
    return removed
  })
}

/** Drops a batch that nobody wants; its lines go, so that they take no room. */
export async function discardImport(deps: ImportDeps, call: SessionCall, id: number): Promise<void> {
  const { kit } = deps
  await withImport(deps, call, { id, state: 'checked' }, async (tx, row) => {
    await sql`delete from vehicle_import_row where import_id = ${id}`.execute(tx)
    await tx
      .updateTable('vehicle_import')
      .set({ state: 'discarded', ended_at: new Date(kit.clock.now()), ended_by: call.caller.name })
      .where('id', '=', id)
      .execute()
    await note(deps, tx, call, { row, action: 'vehicle_import.discard', before: { name: row.name, total: row.total } })
  })
}

type Note = {
  readonly row: ImportRow
  readonly action: string
  readonly before?: Readonly<Record<string, string | number>>
  readonly after?: Readonly<Record<string, string | number>>
}

const note = ({ audit }: ImportDeps, tx: Tx, call: SessionCall, { row, ...act }: Note): Promise<void> =>
  audit.act(tx, call, {
    agentId: row.agent_id,
    areaId: row.area_id,
    subjectKind: 'vehicle_import',
    subjectId: row.id,
    ...act,
  })
