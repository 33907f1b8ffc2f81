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
