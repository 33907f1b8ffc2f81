import { createHash } from 'node:crypto'
import { AppError } from '@saddle/contract/errors.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import type { Database } from '#kit/db/pool.ts'
import type { SessionCall } from '#kit/call.ts'
import type { Clock } from '#kit/clock.ts'

const keyPattern = /^[A-Za-z0-9_-]{8,64}$/
/** A call that has not answered for so long died with its server; its key may be taken again. */
const abandonedAfterMs = 5 * minuteMs

interface OnceOptions {
  readonly db: Database
  readonly clock: Clock
  readonly call: SessionCall
  readonly endpoint: string
  readonly key: string | undefined
  readonly input: unknown
  readonly run: () => Promise<unknown>
}

/**
 * Runs a call once per key of the person who calls, and replays the first answer afterwards.
 * A refusal frees the key: nothing was done, so the same call may be tried again.
 * Throws idempotency_key_missing, idempotency_mismatch (same key, other input) or request_in_progress.
 */
export async function once(options: OnceOptions): Promise<unknown> {
  const { db, clock, call, endpoint, key, input, run } = options
  if (key === undefined || !keyPattern.test(key)) throw new AppError('idempotency_key_missing')
  const inputHash = createHash('sha256').update(JSON.stringify(input)).digest('hex')
  const owner = { agent_id: call.caller.agentId, operator_id: call.caller.operatorId, endpoint, key }
  const scope = { agentIds: [owner.agent_id], areaIds: [], operatorId: owner.operator_id }
  const stored = await db.withScope(scope, async (tx) => {
    const abandonedBefore = new Date(clock.now() - abandonedAfterMs)
    const taken = await tx
      .insertInto('idempotency')
      .values({ ...owner, input_hash: inputHash, created_at: new Date(clock.now()) })
      .onConflict((conflict) =>
        conflict
          .columns(['agent_id', 'operator_id', 'endpoint', 'key'])
          .doUpdateSet({ created_at: new Date(clock.now()) })
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
    const answer = await run()
    await db.withScope(scope, async (tx) => {
      await whereOwner(
        tx.updateTable('idempotency').set({ status: 'done', answer: JSON.stringify(answer) }),
        owner,
      ).execute()
    })
    return answer
  } catch (error) {
    // Only a refusal says for sure that nothing was done; after any other failure the key stays taken for a while.
    if (error instanceof AppError && error.status < 500) {
      await db.withScope(scope, async (tx) => {
        await whereOwner(tx.deleteFrom('idempotency'), owner).execute()
      })
    }
    throw error
  }
}

interface Owner {
  readonly agent_id: number
  readonly operator_id: number
  readonly endpoint: string
  readonly key: string
}

type Tx = Parameters<Parameters<Database['withScope']>[1]>[0]

async function selectRow(tx: Tx, owner: Owner): Promise<{ input_hash: string; status: string; answer: unknown }> {
  const query = tx.selectFrom('idempotency').select(['input_hash', 'status', 'answer'])
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

function replay(stored: { input_hash: string; status: string; answer: unknown }, inputHash: string): unknown {
  if (stored.input_hash !== inputHash) throw new AppError('idempotency_mismatch')
  if (stored.status !== 'done') throw new AppError('request_in_progress')
  return stored.answer
}
