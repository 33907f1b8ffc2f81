import type { Kit } from '#kit/kit.ts'
import { closedChannel, type Channel, type Channels } from './channel.ts'
import { createMailChannel } from './email.ts'
import { createOutboxChannel } from './outbox.ts'
import { createWebhookChannel } from './webhook.ts'

/** Sends a short text to a telephone; null where no template for texts is configured. */
export type SendText = ((message: { readonly phone: string; readonly text: string }) => Promise<void>) | null

/** The channels as they are configured. Where login codes go to the outbox, everything else does that is not configured. */
export function chooseChannels({ config }: Pick<Kit, 'config'>, sendText: SendText): Channels & { close(): void } {
  const isTryOut = config.smsProvider === 'outbox'
  const spare = (name: string): Channel => (isTryOut ? createOutboxChannel(name, config.dataDir) : closedChannel)
  const { smtpUrl, smtpFrom, publicUrl } = config
  const mail =
    smtpUrl === undefined || smtpFrom === undefined
      ? null
      : createMailChannel({ url: smtpUrl, from: smtpFrom, publicUrl: publicUrl ?? null })
  return {
    email: mail ?? spare('email'),
    sms:
      sendText === null ? spare('sms') : { state: 'on', send: ({ to, title }) => sendText({ phone: to, text: title }) },
    // An app of staff registers its tokens with a push service; none exists yet, so nothing is sent outside of a try-out.
    push: spare('push'),
    webhook: createWebhookChannel({ isLocalAllowed: config.noticeLocalWebhooks }),
    close: () => mail?.close(),
  }
}
