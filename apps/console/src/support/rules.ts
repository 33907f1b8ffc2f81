import type { ChatMessage } from '@saddle/contract/support/chat.ts'

/** The text for visitors who are not logged in (specification, section 1). */
export const visitorText = '尊敬的用户，您好，登录后才可以和我聊天哦！'

/** The permission to see the inbox of all conversations. */
export const inboxCode = '180101'

/** Messages by id, each once, the oldest first: answers, polls and socket events bring the same ones. */
export function mergeMessages(known: readonly ChatMessage[], more: readonly ChatMessage[]): readonly ChatMessage[] {
  const byId = new Map(known.map((message) => [message.id, message]))
  const fresh = more.filter((message) => !byId.has(message.id))
  if (fresh.length === 0) return known
  for (const message of fresh) byId.set(message.id, message)
  return [...byId.values()].toSorted((one, other) => one.id - other.id)
}

/** The id after which new messages are asked for. */
export function lastId(messages: readonly ChatMessage[]): number {
  return messages.at(-1)?.id ?? 0
}
