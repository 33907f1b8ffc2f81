import { sql } from 'kysely'
import { AppError } from '@saddle/contract/errors.ts'
import {
  fixReasonsMax,
  partMovementFields,
  repairPartsMax,
  type repairConfigEndpoints,
  type TaskPay,
} from '@saddle/contract/operations/repairConfig.ts'
import { taskKinds } from '@saddle/contract/operations/taskWords.ts'
import { dayMs } from '@saddle/contract/time.ts'
import type { Audit } from '#audit/public.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import { isTaken } from '#kit/db/pgErrors.ts'
import type { Tx } from '#kit/db/pool.ts'
import { countRow, rowOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Kit } from '#kit/kit.ts'
import { pagedFile } from '#kit/list/pagedFile.ts'
import { movementRow, readParts, reasonRow, selectMovements, selectPay, selectReasons } from './store.ts'

type Deps = { readonly kit: Pick<Kit, 'db' | 'clock' | 'random'>; readonly audit: Audit }
type RepairHandlers = Handlers<typeof repairConfigEndpoints>

const usedDaysMs = 30 * dayMs

interface MovementsAsked {
  readonly partId: number
  readonly beforeId: number | undefined
  readonly pageSize: number
}

/** Why vehicles are repaired, what is built in, and what the work pays: of one company at a time. */
export function createRepairHandlers(deps: Deps): RepairHandlers {
  return { ...createReading(deps), ...createReasons(deps), ...createPartChanges(deps) }
}

/** The company that is meant; the caller's own where none is named. */
function companyOf({ scope, caller }: SessionCall, agentId: number | undefined): number {
  const meant = agentId ?? caller.agentId
  if (!scope.agentIds.includes(meant)) throw new AppError('not_found')
  return meant
}

async function readPay({ kit }: Deps, scope: Scope, agentId: number): Promise<TaskPay[]> {
  const rows = await kit.db.read(scope, (k) => selectPay(scope, agentId).compile(k))
  const byKind = new Map(rows.map((row) => [row.kind, row]))
  return taskKinds.map((kind) => ({
    kind,
    cents: byKind.get(kind)?.cents ?? 0,
    reviewed: byKind.get(kind)?.reviewed ?? false,
  }))
}

type Reading = 'listFixReasons' | 'repairConfig' | 'repairPartMovements' | 'exportPartMovements'

function createReading(deps: Deps): Pick<RepairHandlers, Reading> {
  const { kit } = deps
  const reasons = async (scope: Scope, agentId: number) =>
    (await kit.db.read(scope, (k) => selectReasons(scope, agentId).compile(k))).map(reasonRow.present)
  const movements = async (scope: Scope, { partId, beforeId, pageSize }: MovementsAsked) => {
    const asked = { partId, beforeId, limit: pageSize + 1 }
    const rows = await kit.db.read(scope, (k) => selectMovements(scope, asked).compile(k))
    return { list: rows.slice(0, pageSize).map(movementRow.present), hasMore: rows.length > pageSize }
  }
  return {
    listFixReasons: async ({ agentId: asked }, call) => {
      // Nothing is chosen in the header: nothing is shown.
      if (call.scope.agentIds.length === 0) return { suc: true, data: { agentId: call.caller.agentId, list: [] } }
      const agentId = companyOf(call, asked)
      return { suc: true, data: { agentId, list: await reasons(call.scope, agentId) } }
    },

    repairConfig: async ({ agentId: asked }, call) => {
      const { scope } = call
      const agentId = companyOf(call, asked)
      const since = new Date(kit.clock.now() - usedDaysMs)
      const [own, stock, pay] = await Promise.all([
        reasons(scope, agentId),
        readParts(kit, scope, agentId, since),
        readPay(deps, scope, agentId),
      ])
      return { suc: true, data: { agentId, reasons: own, parts: stock, pay } }
    },

    repairPartMovements: async ({ id, beforeId, pageSize }, { scope }) => {
      return { suc: true, data: await movements(scope, { partId: id, beforeId, pageSize }) }
    },
    exportPartMovements: pagedFile<{ readonly id: number }, number>(deps, {
      name: 'part-stock',
      action: 'repair_part.export',
      fields: partMovementFields,
      detail: ({ id }) => ({ partId: id }),
      page: async ({ id }, { scope }, { after, size }) => {
        const asked = { partId: id, beforeId: after ?? undefined, pageSize: size }
        const { list, hasMore } = await movements(scope, asked)
        return { rows: list, next: hasMore ? (list.at(-1)?.id ?? null) : null }
      },
    }),
  }
}

type Act = {
  readonly agentId: number
  readonly action: string
  readonly id: number
  readonly before?: Readonly<Record<string, unknown>>
  readonly after?: Readonly<Record<string, unknown>>
}

const note = ({ audit }: Deps, tx: Tx, call: SessionCall, { agentId, action, id, before, after }: Act) =>
  audit.act(tx, call, {
    agentId,
    action,
    subjectKind: action.startsWith('repair_reason') ? 'repair_reason' : 'repair_part',
    subjectId: id,
    before: before ?? null,
    after: after ?? null,
  })

/** Runs it in the scope; a name that is there already is told as such. */
async function changing<T>({ kit }: Deps, call: SessionCall, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await kit.db.withScope(call.scope, work)
  } catch (error) {
    if (isTaken(error)) throw new AppError('name_taken', { cause: error })
    throw error
  }
}

type Configured = 'repair_reason' | 'repair_part'
/** Both tables have these columns. */
const configured = rowOf('repair_part', 'x', ['id', 'agent_id', 'version', 'name'])

async function lockRow(
  tx: Tx,
  call: SessionCall,
  { table, id, version }: { table: Configured; id: number; version?: number | undefined },
): Promise<RowOf<typeof configured>> {
  const { rows } = await configured.select`
    from ${sql.table(table)} x
    where x.id = ${id} and x.agent_id = any (${call.scope.agentIds}::bigint[]) for update`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new AppError('not_found')
  if (version !== undefined && version !== row.version) throw new AppError('conflict')
  return row
}

async function ensureRoom(
  tx: Tx,
  { table, agentId, limit }: { table: Configured; agentId: number; limit: number },
): Promise<void> {
  const { rows } = await countRow.select`from ${sql.table(table)} where agent_id = ${agentId}`.execute(tx)
  if ((rows[0]?.count ?? 0) >= limit) throw new AppError('bad_request', { values: { detail: `最多 ${limit} 条` } })
}

function createReasons(deps: Deps): Pick<RepairHandlers, 'saveFixReason' | 'removeFixReason'> {
  return {
    saveFixReason: async ({ agentId: asked, id, version, name, forRiders, position }, call) =>
      changing(deps, call, async (tx) => {
        const after = { name, forRiders, position }
        if (id === undefined) {
          const agentId = companyOf(call, asked)
          await ensureRoom(tx, { table: 'repair_reason', agentId, limit: fixReasonsMax })
          const made = await tx
            .insertInto('repair_reason')
            .values({ agent_id: agentId, name, for_riders: forRiders, position })
            .returning('id')
            .executeTakeFirstOrThrow()
          await note(deps, tx, call, { agentId, action: 'repair_reason.create', id: made.id, after })
          return { suc: true, data: { id: made.id, version: 1 } }
        }
        const row = await lockRow(tx, call, { table: 'repair_reason', id, version: version ?? 0 })
        await sql`
          update repair_reason set name = ${name}, for_riders = ${forRiders}, position = ${position}, version = version + 1
          where id = ${id}`.execute(tx)
        const agentId = row.agent_id
        await note(deps, tx, call, { agentId, action: 'repair_reason.change', id, before: { name: row.name }, after })
        return { suc: true, data: { id, version: row.version + 1 } }
      }),

    removeFixReason: async ({ id }, call) =>
      changing(deps, call, async (tx) => {
        const row = await lockRow(tx, call, { table: 'repair_reason', id })
        await sql`delete from repair_reason where id = ${id}`.execute(tx)
        const before = { name: row.name }
        await note(deps, tx, call, { agentId: row.agent_id, action: 'repair_reason.remove', id, before })
        return { suc: true, data: { id } }
      }),
  }
}

type PartNames = 'saveRepairPart' | 'removeRepairPart' | 'moveRepairStock' | 'saveTaskPay'

const repairPartRow = rowOf('repair_part', ['stock'])

function createPartChanges(deps: Deps): Pick<RepairHandlers, PartNames> {
  const { kit } = deps
  return {
    saveRepairPart: async ({ agentId: asked, id, version, name, unit, priceCents, stockLow }, call) =>
      changing(deps, call, async (tx) => {
        const after = { name, unit, unitCents: priceCents, stockLow }
        const values = { name, unit, price_cents: priceCents, stock_low: stockLow }
        if (id === undefined) {
          const agentId = companyOf(call, asked)
          await ensureRoom(tx, { table: 'repair_part', agentId, limit: repairPartsMax })
          const made = await tx
            .insertInto('repair_part')
            .values({ agent_id: agentId, ...values })
            .returning('id')
            .executeTakeFirstOrThrow()
          await note(deps, tx, call, { agentId, action: 'repair_part.create', id: made.id, after })
          return { suc: true, data: { id: made.id, version: 1 } }
        }
        const row = await lockRow(tx, call, { table: 'repair_part', id, version: version ?? 0 })
        const next = row.version + 1
        await tx
          .updateTable('repair_part')
          .set({ ...values, version: next })
          .where('id', '=', id)
          .execute()
        const agentId = row.agent_id
        await note(deps, tx, call, { agentId, action: 'repair_part.change', id, before: { name: row.name }, after })
        return { suc: true, data: { id, version: next } }
      }),

    removeRepairPart: async ({ id }, call) =>
      changing(deps, call, async (tx) => {
        const row = await lockRow(tx, call, { table: 'repair_part', id })
        await tx
          .updateTable('repair_part')
          .set({ removed_at: new Date(kit.clock.now()) })
          .where('id', '=', id)
          .execute()
        const before = { name: row.name }
        await note(deps, tx, call, { agentId: row.agent_id, action: 'repair_part.remove', id, before })
        return { suc: true, data: { id } }
      }),

    moveRepairStock: async ({ id, pieces, note: text }, call) =>
      changing(deps, call, async (tx) => {
        const row = await lockRow(tx, call, { table: 'repair_part', id })
        const { rows } = await repairPartRow.returning`
          update repair_part set stock = stock + ${pieces} where id = ${id} `.execute(tx)
        await tx
          .insertInto('repair_part_movement')
          .values({
            part_id: id,
            agent_id: row.agent_id,
            pieces,
            at: new Date(kit.clock.now()),
            operator_name: call.caller.name,
            note: text,
          })
          .execute()
        const after = { pieces, note: text }
        await note(deps, tx, call, { agentId: row.agent_id, action: 'repair_part.stock', id, after })
        return { suc: true, data: { id, stock: rows[0]?.stock ?? 0 } }
      }),

    saveTaskPay: async ({ agentId: asked, pay }, call) => {
      const agentId = companyOf(call, asked)
      await changing(deps, call, async (tx) => {
        for (const { kind, cents, reviewed } of pay) {
          await sql`
            insert into task_pay (agent_id, kind, cents, reviewed) values (${agentId}, ${kind}, ${cents}, ${reviewed})
            on conflict (agent_id, kind) do update set cents = excluded.cents, reviewed = excluded.reviewed`.execute(tx)
        }
        await deps.audit.act(tx, call, {
          agentId,
          action: 'task_pay.change',
          subjectKind: 'agent',
          subjectId: agentId,
          after: { taskPay: pay.map(({ kind, cents, reviewed }) => ({ taskKind: kind, cents, reviewed })) },
        })
      })
      return { suc: true, data: { pay: await readPay(deps, call.scope, agentId) } }
    },
  }
}
