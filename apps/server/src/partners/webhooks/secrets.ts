import { webhookRotationHours } from '@saddle/contract/partners/webhooks.ts'
import { hourMs } from '@saddle/contract/time.ts'
import { z } from 'zod'
import type { Kit } from '#kit/kit.ts'
import { webhookKeyPurpose } from '../keyed.ts'

/** Every key begins with it, so that a scanner of secrets finds one that was published by mistake. */
const prefix = 'saddle_wh_'
const keySchema = z.object({
  secret: z.string(),
  previous: z.object({ secret: z.string(), untilMs: z.number() }).nullable(),
})

interface Sealed {
  readonly agent_id: number
  readonly secret_sealed: string
}

const opened = (secrets: Kit['secrets'], { agent_id: agentId, secret_sealed: sealed }: Sealed) =>
  keySchema.parse(JSON.parse(secrets.decryptText({ purpose: webhookKeyPurpose, sealed, context: String(agentId) })))

const keyBytes = 32

/** A new key; the one before goes on signing for a while. */
export function newSecret(
  { secrets, random, clock }: Pick<Kit, 'secrets' | 'random' | 'clock'>,
  { agentId, before }: { readonly agentId: number; readonly before: Sealed | null },
): { readonly secret: string; readonly sealed: string } {
  const secret = prefix + Buffer.from(random.bytes(keyBytes)).toString('base64url')
  const previous =
    before === null
      ? null
      : { secret: opened(secrets, before).secret, untilMs: clock.now() + webhookRotationHours * hourMs }
  const text = JSON.stringify({ secret, previous } satisfies z.input<typeof keySchema>)
  return { secret, sealed: secrets.encryptText({ purpose: webhookKeyPurpose, text, context: String(agentId) }) }
}

/** The keys that sign now, the newest first. */
export function openSecrets(secrets: Kit['secrets'], of: Sealed & { readonly nowMs: number }): string[] {
  const { secret, previous } = opened(secrets, of)
  return previous !== null && previous.untilMs > of.nowMs ? [secret, previous.secret] : [secret]
}
