import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { z } from 'zod'
import { AppError, isErrorCode, type ErrorCode } from '@saddle/contract/errors.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import type { Database, Tx } from '#kit/db/pool.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { RunningCall } from '#kit/runningCall.ts'
import type { SessionCall } from '#kit/call.ts'

const keyPattern = /^[A-Za-z0-9_-]{8,64}$/
/**
 * A call that has not answered for so long died with its server; its key may be taken again. The database's clock counts:
 * that of another server may be ahead.
 */
const abandonedAfterMs = 5 * minuteMs

const abandonedBefore = sql<Date>`now() - ${sql.lit(abandonedAfterMs)} * interval '1 millisecond'`

/** What is stored in place of an answer where a call wrote something and was refused. */
const keptRefusalSchema = z.object({
  suc: z.literal(false),
  error: z.object({
    code: z.custom<ErrorCode>(isErrorCode),
    values: z.record(z.string(), z.union([z.string(), z.number()])),
  }),
})
type KeptRefusal = z.infer<typeof keptRefusalSchema>

interface OnceOptions {
  readonly db: Database
  readonly call: SessionCall
  readonly endpoint: string
  readonly key: string | undefined
  readonly input: unknown
  /** Does the call; `noteWritten` is to run at the end of each of its transactions. */
  readonly run: (noteWritten: NonNullable<RunningCall['beforeCommit']>) => Promise<unknown>
}

/**
 * Runs a call once per key of the person who calls, and replays the first answer afterwards.
 * A refusal frees the key where nothing was written before it: the same call may be tried again. One that had written (an act
 * that now waits for a second person) is answered with the same refusal, unless that names when to try again. A call that died
 * with its server may be tried again if it had written nothing; one that had written is not done again.
 * Throws idempotency_key_missing, idempotency_mismatch (same key, other input), request_in_progress or request_written.
 */
export async function once(options: OnceOptions): Promise<unknown> {
  const { db, call, endpoint, key, input, run } = options
  if (key === undefined || !keyPattern.test(key)) throw new AppError('idempotency_key_missing')
  const inputHash = createHash('sha256').update(JSON.stringify(input)).digest('hex')
  const owner = { agent_id: call.caller.agentId, operator_id: call.caller.operatorId, endpoint, key }
  const scope = { agentIds: [owner.agent_id], areaIds: [], operatorId: owner.operator_id }
  const stored = await db.withScope(scope, async (tx) => {
    const taken = await tx
      .insertInto('idempotency')
      .values({ ...owner, input_hash: inputHash })
      .onConflict((conflict) =>
        conflict
          .columns(['agent_id', 'operator_id', 'endpoint', 'key'])
          .doUpdateSet({ created_at: sql<Date>`now()` })
          .where('idempotency.status', '=', 'running')
          .where('idempotency.input_hash', '=', inputHash)
          .where('idempotency.created_at', '<', abandonedBefore),
      )
      .returning('key')
      .executeTakeFirst()
    if (taken !== undefined) return null
    return await selectRow(tx, owner)
  })
  if (stored !== null) return replay(stored, inputHash)
  try {
    const answer = await run((tx, of) => noteWritten(tx, owner, of))
    await db.withScope(scope, async (tx) => {
      await whereOwner(
        tx.updateTable('idempotency').set({ status: 'done', answer: JSON.stringify(answer) }),
        owner,
      ).execute()
    })
    return answer
  } catch (error) {
    // After any other failure than a refusal it is not known what was done: the key stays taken for a while.
    if (error instanceof AppError && error.status < 500) {
      await db.withScope(scope, (tx) => settleRefused(tx, owner, error))
    }
    throw error
  }
}

async function settleRefused(tx: Tx, owner: Owner, { code, values, retryAfterS }: AppError): Promise<void> {
  // A refusal that names a time is not the last word.
  if (retryAfterS === undefined) {
    const refusal: KeptRefusal = { suc: false, error: { code, values } }
    const { numUpdatedRows } = await whereOwner(
      tx.updateTable('idempotency').set({ status: 'done', answer: JSON.stringify(refusal) }),
      owner,
    )
      .where('status', '=', 'written')
      .executeTakeFirstOrThrow()
    if (numUpdatedRows > 0n) return
  }
  await whereOwner(tx.deleteFrom('idempotency'), owner).execute()
}

/** Notes in a transaction of the call itself that it has written something. */
async function noteWritten(tx: Tx, owner: Owner, scope: Scope | null): Promise<void> {
  if (scope !== null && !scope.agentIds.includes(owner.agent_id)) {
    const agentIds = `{${[...scope.agentIds, owner.agent_id].join(',')}}`
    await sql`select set_config('app.agent_ids', ${agentIds}, true)`.execute(tx)
  }
  await whereOwner(tx.updateTable('idempotency').set({ status: 'written' }), owner)
    .where('status', '=', 'running')
    .where(sql<boolean>`pg_current_xact_id_if_assigned() is not null`)
    .execute()
}

interface Owner {
  readonly agent_id: number
  readonly operator_id: number
  readonly endpoint: string
  readonly key: string
}

interface Stored {
  readonly input_hash: string
  readonly status: string
  readonly answer: unknown
  readonly abandoned: boolean
}

async function selectRow(tx: Tx, owner: Owner): Promise<Stored> {
  const query = tx
    .selectFrom('idempotency')
    .select(['input_hash', 'status', 'answer', sql<boolean>`created_at < ${abandonedBefore}`.as('abandoned')])
  return await whereOwner(query, owner).executeTakeFirstOrThrow()
}

function whereOwner<Q extends { where(column: keyof Owner, operator: '=', value: number | string): Q }>(
  query: Q,
  owner: Owner,
): Q {
  return query
    .where('agent_id', '=', owner.agent_id)
    .where('operator_id', '=', owner.operator_id)
    .where('endpoint', '=', owner.endpoint)
    .where('key', '=', owner.key)
}

function replay(stored: Stored, inputHash: string): unknown {
  if (stored.input_hash !== inputHash) throw new AppError('idempotency_mismatch')
  // Its server died between the commit and the answer.
  if (stored.status === 'written' && stored.abandoned) throw new AppError('request_written')
  if (stored.status !== 'done') throw new AppError('request_in_progress')
  const kept = keptRefusalSchema.safeParse(stored.answer)
  if (kept.success) throw new AppError(kept.data.error.code, { values: kept.data.error.values })
  return stored.answer
}
