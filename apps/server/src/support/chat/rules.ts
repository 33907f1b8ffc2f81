import type { ChatMessage } from '@saddle/contract/support/chat.ts'
import { topic } from '#kit/bus.ts'

export const chatRate = { messagesPerMinute: 30, maxOperators: 20_000 } as const

/** Bus message after a chat message is stored: for the operator of the conversation and its agent's inbox. */
export interface ChatMessageEvent {
  readonly message: ChatMessage
  readonly operatorId: number
  readonly agentId: number
}

export const chatMessageTopic = topic<ChatMessageEvent>('chat.message')

export interface MessageRow {
  readonly id: number
  readonly conversation_id: number
  readonly from_support: boolean
  readonly author_name: string
  readonly text: string
  readonly sent_at: Date
}

export function messageOf(row: MessageRow): ChatMessage {
  return {
    id: row.id,
    conversationId: row.conversation_id,
    fromSupport: row.from_support,
    authorName: row.author_name,
    text: row.text,
    sentAt: row.sent_at.getTime(),
  }
}
