import type { ChatMessage } from '@saddle/contract/support/chat.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { Caller } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Kit } from '#kit/kit.ts'
import type { Organisation } from '#organisation/public.ts'
import { chatMessageTopic, type ChatMessageEvent } from './rules.ts'
import { insertMessage, lockConversation, upsertConversation, type Introduction } from './store.ts'

/** The author, from the session and never from the input. */
export type Author = Pick<Caller, 'operatorId' | 'agentId' | 'name'>

export type Talk = {
  /** Registers the author with support; repeated calls update name and company. */
  introduce(author: Author): Promise<void>
  /** A message of an operator to support. */
  say(author: Author, text: string): Promise<ChatMessage>
  /** A message of support to a conversation of the scope. Throws not_found. */
  answer(options: { scope: Scope; author: Author; conversationId: number; text: string }): Promise<ChatMessage>
}

type TalkKit = Pick<Kit, 'db' | 'clock' | 'bus'>

export function createTalk(kit: TalkKit, organisation: Pick<Organisation, 'agent'>): Talk {
  const { db, clock } = kit
  const introductionOf = async (author: Author): Promise<Introduction> => {
    const agent = await organisation.agent(selfScope(author), author.agentId)
    if (agent === null) throw new AppError('agents_missing')
    const { agentId, operatorId, name } = author
    return { agentId, operatorId, name, company: agent.company }
  }

  return {
    introduce: async (author) => {
      const who = await introductionOf(author)
      await db.withScope(selfScope(author), (tx) => upsertConversation({ tx, who, at: new Date(clock.now()) }))
    },

    say: async (author, text) => {
      const who = await introductionOf(author)
      const { agentId, operatorId, name } = author
      return db.withScope(selfScope(author), async (tx) => {
        const at = new Date(clock.now())
        const conversationId = await upsertConversation({ tx, who, at })
        const from = { agentId, fromSupport: false, authorId: operatorId, authorName: name }
        const message = await insertMessage({ tx, message: { ...from, conversationId, text, at } })
        announce({ kit, tx, message, operatorId, agentId })
        return message
      })
    },

    answer: ({ scope, author, conversationId, text }) =>
      db.withScope(scope, async (tx) => {
        const conversation = await lockConversation({ tx, scope, conversationId })
        if (conversation === null) throw new AppError('not_found')
        const { agentId, operatorId } = conversation
        const from = { agentId, fromSupport: true, authorId: author.operatorId, authorName: author.name }
        const at = new Date(clock.now())
        const message = await insertMessage({ tx, message: { ...from, conversationId, text, at } })
        announce({ kit, tx, message, operatorId, agentId })
        return message
      }),
  }
}

/** The author's own agent: a conversation belongs to it, whatever the header selects. */
export function selfScope(author: Pick<Author, 'agentId' | 'operatorId'>): Scope {
  return { agentIds: [author.agentId], areaIds: [], operatorId: author.operatorId }
}

interface AnnounceOptions extends ChatMessageEvent {
  readonly kit: TalkKit
  readonly tx: Tx
}

function announce({ kit, tx, message, operatorId, agentId }: AnnounceOptions): void {
  const event: ChatMessageEvent = { message, operatorId, agentId }
  kit.db.afterCommit(tx, () => kit.bus.publish(chatMessageTopic, event))
}
