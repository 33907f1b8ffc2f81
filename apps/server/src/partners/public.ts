import type { partnerKeyEndpoints } from '@saddle/contract/partners/keys.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import type { Audit } from '#audit/public.ts'
import type { Handlers } from '#kit/call.ts'
import { startJob } from '#kit/job.ts'
import type { Kit } from '#kit/kit.ts'
import { createAnswers, type PartnerAnswers } from './api/answers.ts'
import { createAccess, type PartnerAccess } from './keys/access.ts'
import { createKeyHandlers } from './keys/handlers.ts'

export interface Partners {
  readonly handlers: Handlers<typeof partnerKeyEndpoints>
  readonly access: PartnerAccess
  readonly answers: PartnerAnswers
  startBackground(): () => Promise<void>
  close(): Promise<void>
}

const flushEveryMs = minuteMs / 2

/** Programs of partners: their keys, and what they read by them. */
export function createPartners(kit: Kit, { audit }: { readonly audit: Audit }): Partners {
  const access = createAccess(kit)
  return {
    handlers: createKeyHandlers({ kit, audit }),
    access,
    answers: createAnswers(kit),
    startBackground: () => {
      const { log } = kit
      const counting = startJob({
        log,
        everyMs: flushEveryMs,
        run: access.flush,
        failure: 'uses of keys were not counted',
      })
      return () => counting.stop()
    },
    close: () => access.flush(),
  }
}
