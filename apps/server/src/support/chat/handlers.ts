import type { ChatMessage, chatEndpoints } from '@saddle/contract/support/chat.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { Caller, Handlers, SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Kit } from '#kit/kit.ts'
import { createLimiter } from '#kit/limits.ts'
import type { Organisation } from '#organisation/public.ts'
import { chatMessageTopic, chatRate, type ChatMessageEvent } from './rules.ts'
import {
  findConversations,
  findMessages,
  findMessagesOf,
  insertMessage,
  lockConversation,
  markRead,
  upsertConversation,
  type Introduction,
} from './store.ts'

type ChatKit = Pick<Kit, 'db' | 'clock' | 'bus'>

export function createChatHandlers(
  kit: ChatKit,
  organisation: Pick<Organisation, 'agent'>,
): Handlers<typeof chatEndpoints> {
  const { db, clock } = kit
  const rate = createLimiter({
    limit: chatRate.messagesPerMinute,
    windowMs: 60_000,
    maxKeys: chatRate.maxOperators,
    clock,
  })
  const checkRate = ({ operatorId }: Caller): void => {
    if (!rate.take(String(operatorId)).allowed) throw new AppError('too_many_requests')
  }
  // Who somebody is comes from the session and the tree, never from what the page says.
  const introduce = async ({ agentId, operatorId, name }: Caller): Promise<Introduction> => {
    const agent = await organisation.agent(selfScope({ agentId, operatorId }), agentId)
    if (agent === null) throw new AppError('agents_missing')
    return { agentId, operatorId, name, company: agent.company }
  }

  return {
    registerForSupport: async (input, { caller, token }) => {
      if (input.phone !== caller.phone || input.objectId !== token.userId) throw new AppError('forbidden')
      const who = await introduce(caller)
      await db.withScope(selfScope(caller), (tx) => upsertConversation({ tx, who, at: new Date(clock.now()) }))
      return { suc: true, data: { registered: true } }
    },

    listMyMessages: async (input, { caller }) => {
      const scope = selfScope(caller)
      const list = await findMessages({ db, scope, operatorId: caller.operatorId, afterId: input.afterId })
      return { suc: true, data: { list } }
    },

    sendMyMessage: async (input, { caller }) => {
      checkRate(caller)
      const who = await introduce(caller)
      const data = await db.withScope(selfScope(caller), async (tx) => {
        const at = new Date(clock.now())
        const conversationId = await upsertConversation({ tx, who, at })
        const from = {
          agentId: caller.agentId,
          fromSupport: false,
          authorId: caller.operatorId,
          authorName: caller.name,
        }
        const message = await insertMessage({ tx, message: { ...from, conversationId, text: input.text, at } })
        announce({ kit, tx, message, operatorId: caller.operatorId, agentId: caller.agentId })
        return message
      })
      return { suc: true, data }
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

    replyToConversation: async (input, call) => {
      checkRate(call.caller)
      return { suc: true, data: await reply({ kit, call, ...input }) }
    },
  }
}

/** The caller's own agent: a conversation belongs to it, whatever the header selects. */
function selfScope(caller: Pick<Caller, 'agentId' | 'operatorId'>): Scope {
  return { agentIds: [caller.agentId], areaIds: [], operatorId: caller.operatorId }
}

interface ReplyOptions {
  readonly kit: ChatKit
  readonly call: SessionCall
  readonly conversationId: number
  readonly text: string
}

async function reply({ kit, call, conversationId, text }: ReplyOptions): Promise<ChatMessage> {
  const { scope, caller } = call
  return kit.db.withScope(scope, async (tx) => {
    const conversation = await lockConversation({ tx, scope, conversationId })
    if (conversation === null) throw new AppError('not_found')
    const { agentId, operatorId } = conversation
    const from = { agentId, fromSupport: true, authorId: caller.operatorId, authorName: caller.name }
    const at = new Date(kit.clock.now())
    const message = await insertMessage({ tx, message: { ...from, conversationId, text, at } })
    announce({ kit, tx, message, operatorId, agentId })
    return message
  })
}

interface AnnounceOptions extends ChatMessageEvent {
  readonly kit: ChatKit
  readonly tx: Tx
}

function announce({ kit, tx, message, operatorId, agentId }: AnnounceOptions): void {
  const event: ChatMessageEvent = { message, operatorId, agentId }
  kit.db.afterCommit(tx, () => kit.bus.publish(chatMessageTopic, event))
}
