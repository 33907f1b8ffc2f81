import { webhookLogDays } from '@saddle/contract/partners/webhooks.ts'
import { dayMs, secondMs } from '@saddle/contract/time.ts'
import { sql } from 'kysely'
import type { Kit } from '#kit/kit.ts'
import { faultOf, isPauseDue, isReceived, pauseAfter, retryAt } from '#kit/retry.ts'
import { postSigned, webhookTimeoutMs, type WebhookAnswer } from '#kit/webhook.ts'
import { tell } from '#notices/public.ts'
import { bodyOf } from './rules.ts'
import { openSecrets } from './secrets.ts'
import { saveOutcome, selectHeads, takeDue, type Due, type Outcome, type Target } from './store.ts'

/** Webhooks that one server tells at once, messages of one of them at once, and messages until another one's turn. */
const targetsAtOnce = 8
const atOnce = 4
const perTurn = 16
/** Turns of one run; what is left waits for the next one. */
const turnsMax = 50
/** Longer than a turn may take: what is held for longer belongs to a server that ended. */
export const leaseMs = (perTurn / atOnce) * webhookTimeoutMs + 20 * secondMs
const sweepBatch = 2_000
const sweepsMax = 200

export interface SendDeps {
  readonly kit: Pick<Kit, 'db' | 'clock' | 'log' | 'secrets' | 'config'>
  readonly post?: typeof postSigned
}

/**
 * Tells the webhooks that have messages whose time has come; resolves to the number of attempts. What was sent is noted
 * afterwards: a server that is killed in between leaves its lease, and the message is sent once more under the same id.
 */
export async function sendDue(deps: SendDeps): Promise<number> {
  const { kit } = deps
  let attempts = 0
  for (let turn = 0; turn < turnsMax; turn += 1) {
    const now = kit.clock.now()
    const due = { now: new Date(now), leaseUntil: new Date(now + leaseMs), limit: targetsAtOnce }
    const { rows } = await kit.db.system((tx) => takeDue(due).execute(tx))
    const counts = await Promise.all(rows.map((target) => tellTarget(deps, target)))
    const made = counts.reduce((sum, count) => sum + count, 0)
    attempts += made
    if (made === 0) break
  }
  return attempts
}

async function tellTarget(deps: SendDeps, target: Target): Promise<number> {
  const { kit } = deps
  const { db, clock, log } = kit
  // One message finds out whether a webhook that failed is there again.
  const limit = target.failures > 0 ? 1 : perTurn
  const heads = { webhookId: target.id, now: new Date(clock.now()), limit }
  const { rows } = await db.system((tx) => selectHeads(heads).execute(tx))
  const waiting = [...rows]
  let received = 0
  const lane = async (): Promise<void> => {
    for (let due = waiting.shift(); due !== undefined; due = waiting.shift()) {
      const outcome = await attempt(deps, target, due)
      if (outcome.state === 'sent') received += 1
      await db.system((tx) => saveOutcome(outcome).execute(tx))
    }
  }
  try {
    await Promise.all(Array.from({ length: Math.min(atOnce, rows.length) }, lane))
  } catch (err) {
    log.error({ err, webhookId: target.id }, 'a webhook was not told')
  }
  await release(deps, target, { attempts: rows.length, received })
  return rows.length
}

async function attempt({ kit, post = postSigned }: SendDeps, target: Target, due: Due): Promise<Outcome> {
  const { clock, config, secrets, log } = kit
  const startedAt = clock.now()
  const text = bodyOf(due)
  let answer: WebhookAnswer | null = null
  let fault: string | null = null
  try {
    answer = await post({
      url: target.url,
      secrets: openSecrets(secrets, { ...target, nowMs: startedAt }),
      delivery: String(due.id),
      text,
      nowMs: startedAt,
      isLocalAllowed: config.noticeLocalWebhooks,
    })
  } catch (err) {
    log.warn({ err, webhookId: target.id, deliveryId: due.id }, 'a webhook did not take its message')
    fault = faultOf(err)
  }
  const endedAt = clock.now()
  const firstTriedAt = due.first_tried_at ?? new Date(startedAt)
  const isSent = answer !== null && isReceived(answer.status)
  const next = isSent
    ? null
    : retryAt({ nowMs: endedAt, attempts: due.attempts + 1, firstTriedAtMs: firstTriedAt.getTime() })
  return {
    id: due.id,
    state: isSent ? 'sent' : next === null ? 'failed' : 'queued',
    nextAt: next === null ? null : new Date(next),
    firstTriedAt,
    sentAt: isSent ? new Date(endedAt) : null,
    status: answer?.status ?? null,
    answer: answer?.text ?? null,
    fault,
    tookMs: Math.max(0, endedAt - startedAt),
  }
}

/** Ends the lease, and notes whether the webhook is reached; a day without a message that arrived pauses it. */
async function release(
  { kit }: SendDeps,
  target: Target,
  { attempts, received }: { readonly attempts: number; readonly received: number },
): Promise<void> {
  const { db, clock } = kit
  const now = clock.now()
  const at = new Date(now)
  await db.system(async (tx) => {
    if (attempts === 0) {
      await sql`update webhook set lease_until = null where id = ${target.id}`.execute(tx)
      return
    }
    if (received > 0) {
      await sql`update webhook set lease_until = null, failing_since = null, failures = 0, held_until = null, last_sent_at = ${at}
        where id = ${target.id}`.execute(tx)
      return
    }
    const failingSince = target.failing_since ?? at
    const failures = target.failures + 1
    const isPaused = isPauseDue({ nowMs: now, failures, failingSinceMs: failingSince.getTime() })
    const { numAffectedRows = 0n } = await sql`
      update webhook set lease_until = null, failing_since = ${failingSince}, failures = ${failures},
        held_until = ${new Date(now + pauseAfter(failures))},
        state = ${isPaused ? 'paused' : 'on'}, is_paused_for_failure = ${isPaused}
      where id = ${target.id} and state = 'on'`.execute(tx)
    if (!isPaused || numAffectedRows === 0n) return
    await tell(tx, {
      event: 'webhook_paused',
      agentId: target.agent_id,
      subject: `webhook ${target.id}`,
      key: `webhook ${target.id} ${failingSince.getTime()}`,
      values: { name: target.name, failures },
      path: '/agent/open-interfaces',
      at,
    })
  })
}

/** Removes what the log keeps no longer. */
export async function sweepLog({ kit }: SendDeps): Promise<void> {
  const before = new Date(kit.clock.now() - webhookLogDays * dayMs)
  for (let run = 0; run < sweepsMax; run += 1) {
    const { numAffectedRows = 0n } = await kit.db.system((tx) =>
      sql`delete from webhook_delivery where id in (
        select id from webhook_delivery where created_at < ${before} order by created_at limit ${sweepBatch})`.execute(
        tx,
      ),
    )
    if (numAffectedRows < BigInt(sweepBatch)) return
  }
}
