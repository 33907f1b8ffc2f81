import type { partnerKeyEndpoints } from '@saddle/contract/partners/keys.ts'
import type { webhookEndpoints } from '@saddle/contract/partners/webhooks.ts'
import { hourMs, minuteMs, secondMs } from '@saddle/contract/time.ts'
import type { Audit } from '#audit/public.ts'
import type { Handlers } from '#kit/call.ts'
import { startJob } from '#kit/job.ts'
import type { Kit } from '#kit/kit.ts'
import type { postSigned } from '#kit/webhook.ts'
import { createAnswers, type PartnerAnswers } from './api/answers.ts'
import { createAccess, type PartnerAccess } from './keys/access.ts'
import { createKeyHandlers } from './keys/handlers.ts'
import { createWebhookHandlers } from './webhooks/handlers.ts'
import { sendDue, sweepLog } from './webhooks/send.ts'

export { partnersKeyed } from './keyed.ts'

export interface Partners {
  readonly handlers: Handlers<typeof partnerKeyEndpoints & typeof webhookEndpoints>
  readonly access: PartnerAccess
  readonly answers: PartnerAnswers
  /** Tells the webhooks what is due; resolves to the number of attempts. */
  send(): Promise<number>
  startBackground(): () => Promise<void>
  close(): Promise<void>
}

const flushEveryMs = minuteMs / 2
const sendEveryMs = secondMs

export interface PartnersDeps {
  readonly audit: Audit
  /** By default it goes out. */
  readonly post?: typeof postSigned
}

/** Programs of partners: their keys, what they read by them, and what their webhooks are told. */
export function createPartners(kit: Kit, { audit, post }: PartnersDeps): Partners {
  const access = createAccess(kit)
  const sending = { kit, ...(post === undefined ? {} : { post }) }
  const send = () => sendDue(sending)
  return {
    handlers: { ...createKeyHandlers({ kit, audit }), ...createWebhookHandlers({ kit, audit }) },
    access,
    answers: createAnswers(kit),
    send,
    startBackground: () => {
      const { log } = kit
      const sweep = () => sweepLog(sending)
      const jobs = [
        startJob({ log, everyMs: flushEveryMs, run: access.flush, failure: 'uses of keys were not counted' }),
        startJob({ log, everyMs: sendEveryMs, run: send, failure: 'telling webhooks failed' }),
        startJob({ log, everyMs: hourMs, run: sweep, failure: 'removing old messages failed', isFirstLater: true }),
      ]
      return async () => {
        await Promise.all(jobs.map((job) => job.stop()))
      }
    },
    close: () => access.flush(),
  }
}
