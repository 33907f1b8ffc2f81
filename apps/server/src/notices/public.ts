import type { noticeConfigEndpoints } from '@saddle/contract/notices/config.ts'
import type { inboxEndpoints } from '@saddle/contract/notices/inbox.ts'
import type { noticeTemplateEndpoints } from '@saddle/contract/notices/templates.ts'
import type { Audit } from '#audit/public.ts'
import type { Handlers } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import { chooseChannels, type SendText } from './channels/choose.ts'
import type { Channels } from './channels/channel.ts'
import { createConfigHandlers } from './config/handlers.ts'
import { createWorker } from './delivery/worker.ts'
import { createInboxHandlers } from './inbox/handlers.ts'
import { createTemplateHandlers } from './templates/handlers.ts'

export { noticeTopic } from './delivery/worker.ts'
export { noticesKeyed } from './keyed.ts'
export { tell, type NewNotice } from './tell.ts'

export interface NoticeDeps {
  readonly audit: Audit
  readonly openPhone: (sealed: string) => string
  readonly sendText: SendText
  /** By default those that are configured. */
  readonly channels?: Channels
}

export interface Notices {
  readonly handlers: Handlers<typeof inboxEndpoints & typeof noticeConfigEndpoints & typeof noticeTemplateEndpoints>
  /** Makes the deliveries of notices that wait; resolves to the number of notices. */
  spread(): Promise<number>
  /** Sends what is due; resolves to the number of deliveries. */
  send(): Promise<number>
  startBackground(): () => Promise<void>
  close(): Promise<void>
}

/** What staff are told of, by which channels and in which words. Domains tell of things by `tell`, in their transactions. */
export function createNotices(kit: Kit, deps: NoticeDeps): Notices {
  const { audit, openPhone, sendText } = deps
  const chosen = chooseChannels(kit, sendText)
  const channels = deps.channels ?? chosen
  const worker = createWorker({ kit, channels, openPhone })
  return {
    handlers: {
      ...createInboxHandlers({ kit, audit, channels }),
      ...createConfigHandlers({ kit, audit, channels }),
      ...createTemplateHandlers({ kit, audit, channels, openPhone }),
    },
    spread: worker.spread,
    send: worker.send,
    startBackground: worker.start,
    close: async () => chosen.close(),
  }
}
