import { sql } from 'kysely'
import { exportFormats, type ExportFormat } from '@saddle/contract/exported.ts'
import {
  exportLimits,
  exportList,
  exportStates,
  type ExportFilter,
  type ExportState,
} from '@saddle/contract/exports/jobs.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { spanOf, tableList } from '#kit/list/tableList.ts'

const shown = rowsOf(
  rowOf('export_job', 'e', [
    'id',
    'export_id',
    'agent_id',
    'operator_id',
    'operator_name',
    'action',
    'file_name',
    'format',
    'state',
    'rows',
    'total',
    'parts',
    'bytes',
    'failure',
    'created_at as at',
    'finished_at',
    'expires_at',
  ]).codes({ format: exportFormats, state: exportStates }),
  rowOf('agent', 'agent', ['company']),
)
type ShownRow = RowOf<typeof shown>

/** A file as its lists show it to a person. */
export function presentExport(row: ShownRow, operatorId: number) {
  const { operatorId: owner, ...job } = shown.present(row)
  return { ...job, isOwn: owner === operatorId }
}

export const shownExports = {
  table: 'export_job',
  alias: 'e',
  tenant: 'agent',
  columns: shown,
  joins: sql`join agent on agent.id = e.agent_id`,
  sorts: { at: ['created_at', 'instant'] },
} as const

const find = ({ exportIds, states, formats, ...span }: ExportFilter) => ({
  narrowed: [exportIds && sql`e.export_id = any (${exportIds}::uuid[])`],
  where: [
    ...spanOf('e.created_at', span),
    states && sql`e.state = any (${states}::text[])`,
    formats && sql`e.format = any (${formats}::text[])`,
  ],
})

/** Files of the person who asks. */
export const ownRows = tableList(exportList, {
  ...shownExports,
  tenant: (scope) => sql`e.operator_id = ${scope.operatorId}`,
  find,
})
/** Files of everybody in the scope. */
export const companyRows = tableList(exportList, { ...shownExports, find })

export interface NewExport {
  readonly exportId: string
  readonly agentId: number
  readonly operatorId: number
  readonly operatorName: string
  readonly call: string
  readonly action: string
  readonly fileName: string
  readonly format: ExportFormat
  readonly questionSealed: Buffer
  readonly scope: Scope
  readonly at: Date
}

/** What a file has when it is made. */
export interface MadeFile {
  readonly rows: number
  readonly parts: number
  readonly bytes: number
}

const values = (job: NewExport) => ({
  export_id: job.exportId,
  agent_id: job.agentId,
  operator_id: job.operatorId,
  operator_name: job.operatorName,
  call: job.call,
  action: job.action,
  file_name: job.fileName,
  format: job.format,
  question_sealed: job.questionSealed,
  agent_ids: sql<number[]>`${job.scope.agentIds}::bigint[]`,
  area_ids: sql<number[]>`${job.scope.areaIds}::bigint[]`,
  created_at: job.at,
})

/** A file that is made already. */
export async function insertMade(tx: Tx, job: NewExport, made: MadeFile): Promise<void> {
  await tx
    .insertInto('export_job')
    .values({
      ...values(job),
      ...made,
      total: made.rows,
      state: 'done',
      finished_at: job.at,
      expires_at: new Date(job.at.getTime() + exportLimits.keptMs),
    })
    .execute()
}

/** A file for the worker. Its person is told of it where they asked for it. */
export async function insertQueued(tx: Tx, job: NewExport & { readonly isAsked: boolean }): Promise<void> {
  await tx
    .insertInto('export_job')
    .values({ ...values(job), is_asked: job.isAsked, state: 'queued' })
    .execute()
}

const usageRow = rowOfValues({
  own: computed(
    'bigint',
    sql`count(*) filter (where e.operator_id = u.operator_id and e.state in ('queued', 'running'))`,
  ),
  open: computed('bigint', sql`count(*) filter (where e.state in ('queued', 'running'))`),
  bytes: computed('bigint', sql`coalesce(sum(e.bytes) filter (where e.state = 'done'), 0)::bigint`),
})

/** What a person and their company hold of the export centre. Waits for others of the company who ask in the same moment. */
export async function readUsage(tx: Tx, of: { readonly agentId: number; readonly operatorId: number }) {
  await sql`select pg_advisory_xact_lock(hashtext('export_job'), ${of.agentId}::integer)`.execute(tx)
  const { rows } = await usageRow.select`
    from (select ${of.operatorId}::bigint as operator_id) u
    left join export_job e on e.agent_id = ${of.agentId} and e.state in ('queued', 'running', 'done')`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new Error('an aggregate without a row')
  return row
}

interface Part {
  readonly exportId: string
  readonly agentId: number
  readonly part: number
  readonly sealed: Buffer
}

export async function insertPart(tx: Tx, { exportId, agentId, part, sealed }: Part): Promise<void> {
  await tx.insertInto('export_part').values({ export_id: exportId, agent_id: agentId, part, sealed }).execute()
}

const fetched = rowOf('export_job', 'e', [
  'export_id',
  'agent_id',
  'operator_id',
  'call',
  'file_name',
  'state',
  'parts',
  'question_sealed',
  'agent_ids',
  'area_ids',
]).codes({ state: exportStates })

/** A file of a person. */
export const selectOwn = ({ operatorId, exportId }: Own) => fetched.select`
  from export_job e where e.export_id = ${exportId} and e.operator_id = ${operatorId}`

interface Own {
  readonly operatorId: number
  readonly exportId: string
}

const partRow = rowOf('export_part', 'p', ['sealed'])
/** Bytes of a file that was found before. */
export const selectPart = ({ exportId, part }: { readonly exportId: string; readonly part: number }) =>
  partRow.select`from export_part p where p.export_id = ${exportId} and p.part = ${part}`

/** Ends a file in one of some states; resolves to whether it was in one. Its bytes and conditions are gone. */
export async function endOwn(
  tx: Tx,
  own: Own & { readonly from: readonly ExportState[]; readonly to: 'cancelled' | 'expired'; readonly at: Date },
): Promise<boolean> {
  const { rows } = await sql`
    update export_job e set state = ${own.to}, question_sealed = null, lease_until = null,
      finished_at = coalesce(e.finished_at, ${own.at}), expires_at = null
    where e.export_id = ${own.exportId} and e.operator_id = ${own.operatorId}
      and e.state = any (${own.from}::text[])
    returning e.id`.execute(tx)
  if (rows.length === 0) return false
  await sql`delete from export_part where export_id = ${own.exportId}`.execute(tx)
  return true
}

/** Resolves to whether a download begins: with the first part of a file, or with any part when none began in the last hour. */
export async function markDownloaded(
  tx: Tx,
  { exportId, operatorId, part, at }: Own & { readonly part: number; readonly at: Date },
): Promise<boolean> {
  const { rows } = await sql`
    update export_job e set downloaded_at = ${at}
    where e.export_id = ${exportId} and e.operator_id = ${operatorId}
      and (${part === 0} or e.downloaded_at is null or e.downloaded_at <= ${new Date(at.getTime() - exportLimits.downloadMs)})
    returning e.id`.execute(tx)
  return rows.length > 0
}
