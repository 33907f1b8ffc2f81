import type { chatEndpoints } from '@saddle/contract/support/chat.ts'
import type { Handlers } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import type { Organisation } from '#organisation/public.ts'
import { createChatHandlers } from './chat/handlers.ts'

export { chatMessageTopic, type ChatMessageEvent } from './chat/rules.ts'

export type Support = { readonly handlers: Handlers<typeof chatEndpoints> }

export function createSupport(kit: Kit, others: { readonly organisation: Organisation }): Support {
  return { handlers: createChatHandlers(kit, others.organisation) }
}
