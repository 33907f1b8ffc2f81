import { sql } from 'kysely'
import { z } from 'zod'
import {
  riderImportList,
  riderImportProblems,
  riderImportStates,
  type RiderImport,
} from '@saddle/contract/finance/riderImports.ts'
import type { Caller } from '#kit/call.ts'
import type { Keyring } from '#kit/crypto.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { tableList } from '#kit/list/tableList.ts'
import type { BroughtRider, KnownRider } from './rules.ts'

export const riderImportPurpose = 'rider-import'
const codes = { state: riderImportStates } as const

const listed = rowsOf(
  rowOf('rider_import', 'i', [
    'id',
    'agent_id',
    'state',
    'name',
    'total',
    'bad',
    'added',
    'cents',
    'refused_cents',
    'booked',
    'booked_cents',
    'created_at',
    'created_by_id',
    'created_by',
    'ended_at',
    'ended_by',
  ]),
  rowOf('agent', 'agent', ['company']),
).codes(codes)

export const riderImportRows = tableList(riderImportList, {
  table: 'rider_import',
  alias: 'i',
  tenant: 'agent',
  columns: listed,
  joins: sql`join agent on agent.id = i.agent_id`,
  sorts: { created: ['created_at', 'instant'] },
  find: ({ states = riderImportStates, id }) => ({
    runs: { column: 'state', type: 'text', values: states },
    narrowed: [id !== undefined && sql`i.id = ${id}`],
    where: [],
  }),
})

export function presentImport(row: RowOf<typeof listed>, caller: Pick<Caller, 'operatorId'>): RiderImport {
  const { createdById, ...shown } = listed.present(row)
  return { ...shown, isOwn: createdById === caller.operatorId }
}

const importRow = rowOf('rider_import', 'i', [
  'id',
  'agent_id',
  'state',
  'name',
  'total',
  'bad',
  'cents',
  'rows_sealed',
  'created_by_id',
]).codes(codes)
export type RiderImportRow = RowOf<typeof importRow>

/** The batch when it lies in the scope, locked until the end of the transaction. */
export async function lockImport(
  tx: Tx,
  { id, scope }: { id: number; scope: Scope },
): Promise<RiderImportRow | undefined> {
  const { rows } = await importRow.select`
    from rider_import i where i.id = ${id} and i.agent_id = any (${scope.agentIds}::bigint[]) for update`.execute(tx)
  return rows[0]
}

const faultsRow = rowOf('rider_import', 'i', ['faults'])
const faultsSchema = z.array(z.object({ line: z.int(), problems: z.array(z.enum(riderImportProblems)) }))

/** Lines of a batch of the scope that cannot be taken. */
export const selectFaults = ({ id, scope }: { id: number; scope: Scope }) => faultsRow.select`
  from rider_import i where i.id = ${id} and i.agent_id = any (${scope.agentIds}::bigint[])`
export const faultsOf = ({ faults }: RowOf<typeof faultsRow>) => faultsSchema.parse(faults)

/** Files of one company are checked one after the other, so that none comes twice at once. */
export const lockFiles = (agentId: number) =>
  sql`select pg_advisory_xact_lock(hashtext('rider_import'), ${agentId}::integer)`

const fileRow = rowOfValues({
  known: computed('bigint[]', sql`coalesce(array_agg(i.id) filter (where i.sha256 = f.sha256), '{}')`),
  open: computed('integer', sql`count(i.id) filter (where i.state = 'checked')`),
})

/** The batch by which a company has brought this file already, and how many of its batches wait for a decision. */
export async function readOthers(
  tx: Tx,
  { agentId, sha256 }: { agentId: number; sha256: string },
): Promise<{ id: number | undefined; open: number }> {
  const { rows } = await fileRow.select`
    from (select ${sha256}::text as sha256) f
    left join rider_import i on i.agent_id = ${agentId} and i.state in ('checked', 'committed')`.execute(tx)
  return { id: rows[0]?.known[0], open: rows[0]?.open ?? 0 }
}

const knownRow = rowsOf(
  rowOf('rider', 'r', ['id', 'closed_at']),
  rowOfValues({
    is_opened: computed(
      'boolean',
      sql`exists (
        select from ledger_entry e
        where e.reference = 'opening:' || r.id and e.key = 'opening_balance' and e.agent_id = r.agent_id
      )`,
    ),
  }),
)

/** What stands in the way of riders whom the company has, by their numbers. */
export async function readKnown(tx: Tx, riderIds: readonly number[]): Promise<ReadonlyMap<number, KnownRider>> {
  const { rows } = await knownRow.select`from rider r where r.id = any (${riderIds}::bigint[])`.execute(tx)
  return new Map(rows.map((row) => [row.id, { isClosed: row.closed_at !== null, isOpened: row.is_opened }]))
}

const bookedRow = rowOfValues({
  booked: computed('integer', sql`count(*)`),
  booked_cents: computed('bigint', sql`coalesce(sum(c.cents), 0)`),
})

/** What the ledger has as opening balances of these riders. */
export async function readBooked(
  tx: Tx,
  { agentId, references }: { readonly agentId: number; readonly references: readonly string[] },
): Promise<RowOf<typeof bookedRow>> {
  const { rows } = await bookedRow.select`
    from ledger_entry e cross join unnest(e.amounts_cents) as c (cents)
    where e.agent_id = ${agentId} and e.reference = any (${references}::text[]) and e.key = 'opening_balance' and c.cents > 0`.execute(
    tx,
  )
  return rows[0] ?? { booked: 0, booked_cents: 0 }
}

const waitingRow = rowOf('rider_import', 'i', ['id', 'agent_id', 'name', 'total'])

/** Batches of any company that nobody decided on, of before a moment, locked. */
export const takeWaiting = ({ before, limit }: { readonly before: Date; readonly limit: number }) => waitingRow.select`
  from rider_import i where i.state = 'checked' and i.created_at <= ${before}
  order by i.agent_id, i.id limit ${limit} for update skip locked`

const riderSchema = z.array(z.tuple([z.int(), z.string(), z.string().nullable(), z.int()]))

/** Phones, names and balances are sealed together: nobody looks for one of them. */
export function sealRiders(secrets: Keyring, agentId: number, riders: readonly BroughtRider[]): string {
  const text = JSON.stringify(riders.map(({ line, phone, name, cents }) => [line, phone, name, cents]))
  return secrets.encryptText({ purpose: riderImportPurpose, text, context: String(agentId) })
}

export function openRiders(secrets: Keyring, row: Pick<RiderImportRow, 'agent_id' | 'rows_sealed'>): BroughtRider[] {
  if (row.rows_sealed === null) throw new Error('the batch was decided on')
  const context = String(row.agent_id)
  const text = secrets.decryptText({ purpose: riderImportPurpose, sealed: row.rows_sealed, context })
  return riderSchema.parse(JSON.parse(text)).map(([line, phone, name, cents]) => ({ line, phone, name, cents }))
}

/** Tells the database that riders who are added from here on come from another system. */
export const markImport = sql`select set_config('app.rider_import', 'on', true)`
