import type { chatEndpoints } from '@saddle/contract/support/chat.ts'
import type { Handlers } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import type { Organisation } from '#organisation/public.ts'
import { createChatHandlers } from './chat/handlers.ts'
import { createTalk, type Talk } from './chat/talk.ts'

export { chatMessageTopic } from './chat/rules.ts'

export type Support = { readonly handlers: Handlers<typeof chatEndpoints>; readonly talk: Talk }

/** The built-in chat between operators and the support inbox. */
export function createSupport(kit: Kit, others: { readonly organisation: Organisation }): Support {
  const talk = createTalk(kit, others.organisation)
  return { handlers: createChatHandlers(kit, talk), talk }
}
