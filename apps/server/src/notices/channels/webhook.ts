import { z } from 'zod'
import { postSigned, RefusedError } from '#kit/webhook.ts'
import type { Channel } from './channel.ts'

/** Where a company's system is told, and the key that signs what it is told. */
export const webhookTargetSchema = z.object({ url: z.string(), secret: z.string() })
export type WebhookTarget = z.infer<typeof webhookTargetSchema>

const firstRefusal = 400
const firstServerFault = 500
/** Ask again: the other side is busy or was too slow. */
const passing = new Set([408, 425, 429])

/** Tells a company's system by a signed JSON. */
export function createWebhookChannel({ isLocalAllowed }: { readonly isLocalAllowed: boolean }): Channel {
  return {
    state: 'on',
    send: async (message) => {
      const { url, secret } = webhookTargetSchema.parse(JSON.parse(message.to))
      const { id, event, title, body, path, atMs, nowMs } = message
      const text = JSON.stringify({ id, event, title, body, path, at: atMs })
      const { status } = await postSigned({ url, secrets: [secret], delivery: id, text, nowMs, isLocalAllowed })
      if (status >= firstRefusal && status < firstServerFault && !passing.has(status))
        throw new RefusedError(`the webhook answered ${status}`)
      if (status >= 300) throw new Error(`the webhook answered ${status}`)
    },
  }
}
