import type { chatEndpoints } from '@saddle/contract/support/chat.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import type { Caller, Handlers } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import { createLimiter } from '#kit/limits.ts'
import { chatRate } from './rules.ts'
import { findConversations, findMessages, findMessagesOf, lockConversation, markRead } from './store.ts'
import { selfScope, type Talk } from './talk.ts'

export function createChatHandlers(kit: Pick<Kit, 'db' | 'clock'>, talk: Talk): Handlers<typeof chatEndpoints> {
  const { db, clock } = kit
  const rate = createLimiter({
    limit: chatRate.messagesPerMinute,
    windowMs: minuteMs,
    maxKeys: chatRate.maxOperators,
    clock,
  })
  const checkRate = ({ operatorId }: Caller): void => {
    if (!rate.take(String(operatorId)).allowed) throw new AppError('too_many_requests')
  }

  return {
    registerForSupport: async (input, { caller, token }) => {
      if (input.phone !== caller.phone || input.objectId !== token.userId) throw new AppError('forbidden')
      await talk.introduce(caller)
      return { suc: true, data: { registered: true } }
    },

    listMyMessages: async (input, { caller }) => {
      const scope = selfScope(caller)
      const list = await findMessages({ db, scope, operatorId: caller.operatorId, afterId: input.afterId })
      return { suc: true, data: { list } }
    },

    sendMyMessage: async (input, { caller }) => {
      checkRate(caller)
      return { suc: true, data: await talk.say(caller, input.text) }
    },

    listConversations: async (input, { scope }) => ({
      suc: true,
      data: { list: await findConversations({ db, scope, limit: input.limit }) },
    }),

    listConversationMessages: async (input, { scope }) => {
      const { conversationId, afterId } = input
      const list = await db.withScope(scope, async (tx) => {
        // Locked, so that a message which arrives meanwhile is either in this answer or still unread.
        const conversation = await lockConversation({ tx, scope, conversationId })
        if (conversation === null) throw new AppError('not_found')
        const messages = await findMessagesOf({ tx, conversationId, afterId })
        await markRead({ tx, conversationId, lastReadId: messages.at(-1)?.id ?? afterId })
        return messages
      })
      return { suc: true, data: { list } }
    },

    replyToConversation: async (input, { caller, scope }) => {
      checkRate(caller)
      return { suc: true, data: await talk.answer({ scope, author: caller, ...input }) }
    },
  }
}
