import { sql } from 'kysely'
import { exportLimits } from '@saddle/contract/exports/jobs.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf, type RowOf } from '#kit/db/rows.ts'
import { tell } from '#notices/public.ts'
import type { MadeFile } from './store.ts'

/** The statements of the worker, which sees the files of all companies. */

const claimed = rowOf('export_job', 'e', [
  'export_id',
  'agent_id',
  'operator_id',
  'call',
  'format',
  'question_sealed',
  'agent_ids',
  'area_ids',
  'attempts',
  'file_name',
  'is_asked',
])
export type Claimed = RowOf<typeof claimed>

/** How long a file stays with a worker that no longer says anything. */
export const leaseMs = 30_000

const leaseFrom = (at: Date): Date => new Date(at.getTime() + leaseMs)

/** Takes the file that waits longest, also from a worker that ended. What others have just written of it goes. */
export async function claim(tx: Tx, at: Date): Promise<Claimed | null> {
  const { rows } = await claimed.returning`
    update export_job e set state = 'running', attempts = e.attempts + 1, lease_until = ${leaseFrom(at)}, rows = 0
    where e.id = (
      select id from export_job
      where state = 'queued' or (state = 'running' and lease_until < ${at})
      order by created_at, id limit 1 for update skip locked)`.execute(tx)
  const [row] = rows
  if (row === undefined) return null
  await sql`delete from export_part where export_id = ${row.export_id}`.execute(tx)
  return row
}

type Held = Pick<Claimed, 'export_id' | 'attempts'>
type Told = Held & Pick<Claimed, 'agent_id' | 'operator_id' | 'file_name' | 'is_asked'>

/** Says that a file is being made; false where it is no longer this worker's: cancelled, or taken over. */
export async function keep(
  tx: Tx,
  { export_id: exportId, attempts }: Held,
  progress: { readonly at: Date; readonly rows?: number; readonly total?: number | null },
): Promise<boolean> {
  const { at, rows = null, total = null } = progress
  const found = await sql`
    update export_job set lease_until = ${leaseFrom(at)}, rows = coalesce(${rows}::integer, rows),
      total = coalesce(${total}::integer, total)
    where export_id = ${exportId} and attempts = ${attempts} and state = 'running' returning id`.execute(tx)
  return found.rows.length > 0
}

export async function finish(tx: Tx, job: Told, made: MadeFile, at: Date) {
  const { export_id: exportId, attempts } = job
  const found = await sql`
    update export_job set state = 'done', rows = ${made.rows}, parts = ${made.parts}, bytes = ${made.bytes},
      lease_until = null, finished_at = ${at}, expires_at = ${new Date(at.getTime() + exportLimits.keptMs)}
    where export_id = ${exportId} and attempts = ${attempts} and state = 'running' returning id`.execute(tx)
  if (found.rows.length === 0) return false
  const { file_name: file, is_asked: isAsked } = job
  if (isAsked) await tell(tx, { event: 'export_done', ...toOwner(job, at), values: { file, rows: made.rows } })
  return true
}

/** Whoever asked for the file; of one that nobody asked for, whoever had it made tells. */
const toOwner = ({ export_id: exportId, agent_id: agentId, operator_id: operatorId }: Told, at: Date) => ({
  agentId,
  subject: `export ${exportId}`,
  path: '/exports',
  operatorIds: [operatorId],
  at,
})

export async function fail(tx: Tx, job: Told, failure: string, at: Date): Promise<void> {
  const { export_id: exportId, attempts } = job
  const found = await sql`
    update export_job set state = 'failed', failure = ${failure}, question_sealed = null, lease_until = null,
      finished_at = ${at}
    where export_id = ${exportId} and attempts = ${attempts} and state = 'running' returning id`.execute(tx)
  if (found.rows.length === 0) return
  await sql`delete from export_part where export_id = ${exportId}`.execute(tx)
  const { file_name: file, is_asked: isAsked } = job
  if (isAsked) await tell(tx, { event: 'export_failed', ...toOwner(job, at), values: { file } })
}

/** Gives a file back to the queue because the server stops: that is no attempt. */
export async function giveBack(tx: Tx, { export_id: exportId, attempts }: Held): Promise<void> {
  await sql`
    update export_job set state = 'queued', attempts = attempts - 1, lease_until = null
    where export_id = ${exportId} and attempts = ${attempts} and state = 'running'`.execute(tx)
}

const expired = rowOf('export_job', 'e', ['export_id'])

/** Removes the bytes of files whose time is over; resolves to their number. */
export async function expire(tx: Tx, { at, limit }: { readonly at: Date; readonly limit: number }): Promise<number> {
  const { rows } = await expired.returning`
    update export_job e set state = 'expired', question_sealed = null, expires_at = null
    where e.id in (
      select id from export_job where state = 'done' and expires_at <= ${at} order by expires_at limit ${limit}
      for update skip locked)`.execute(tx)
  const ids = rows.map((row) => row.export_id)
  if (ids.length > 0) await sql`delete from export_part where export_id = any (${ids}::uuid[])`.execute(tx)
  return rows.length
}

/** Forgets files of long ago. */
export async function forget(tx: Tx, { before, limit }: { readonly before: Date; readonly limit: number }) {
  const { rows } = await sql`
    delete from export_job where id in (
      select id from export_job where created_at < ${before} and state not in ('queued', 'running') order by created_at
      limit ${limit} for update skip locked)
    returning id`.execute(tx)
  return rows.length
}
