import { chatEndpoints, type ChatMessage } from '@saddle/contract/support/chat.ts'
import { call, isApiError } from '#kit/api/client.ts'
import { t } from '#kit/i18n/index.ts'
import { liveSocket } from '#kit/live/socket.ts'
import { createStore, type Store } from '#kit/store.ts'
import { lastId, mergeMessages } from './rules.ts'

/** `null` is the user's own conversation with support, a number one of the inbox. */
export type ConversationRef = number | null

interface Messages {
  readonly state: 'loading' | 'ready' | 'failed'
  readonly list: readonly ChatMessage[]
}

export interface Feed {
  readonly messages: Store<Messages>
  /** Reads new messages; a failure is shown only before the first read succeeded. */
  readonly read: () => Promise<void>
  /** Keeps reading until the returned function is called. */
  readonly follow: () => () => void
  /** Sends a text; resolves with the error to show, or null on success. */
  readonly send: (text: string, idempotencyKey: string) => Promise<string | null>
}

/** Poll intervals while the live socket is open, and while it is not. */
const pollMs = { live: 60_000, alone: 4_000 } as const

/** The messages of a conversation: live by socket events, by polling without a socket. */
export function createFeed(conversation: ConversationRef): Feed {
  const messages = createStore<Messages>({ state: 'loading', list: [] })
  const add = (more: readonly ChatMessage[]): void =>
    messages.set({ state: 'ready', list: mergeMessages(messages.get().list, more) })
  const read = async (): Promise<void> => {
    try {
      add(await readAfter(conversation, lastId(messages.get().list)))
    } catch {
      if (messages.get().state !== 'ready') messages.set({ state: 'failed', list: [] })
    }
  }
  const follow = (): (() => void) => {
    let following = true
    let timer: ReturnType<typeof setTimeout> | undefined
    const again = async (): Promise<void> => {
      await read()
      clearTimeout(timer)
      const pauseMs = liveSocket.status.get().state === 'open' ? pollMs.live : pollMs.alone
      if (following) timer = setTimeout(() => void again(), pauseMs)
    }
    // An event only announces new messages; the call that reads them checks permission.
    const stopEvents = liveSocket.onEvent((event) => {
      if (event.type === 'chat') void again()
    })
    void again()
    return () => {
      following = false
      clearTimeout(timer)
      stopEvents()
    }
  }
  const send = async (text: string, idempotencyKey: string): Promise<string | null> => {
    try {
      add([await post(conversation, text, idempotencyKey)])
      return null
    } catch (error) {
      return isApiError(error) ? t(error.promot) : t('网络出现问题，请稍后再试')
    }
  }
  return { messages, read, follow, send }
}

async function readAfter(conversationId: ConversationRef, afterId: number): Promise<readonly ChatMessage[]> {
  const answer =
    conversationId === null
      ? await call(chatEndpoints.listMyMessages, { afterId }, { quiet: true })
      : await call(chatEndpoints.listConversationMessages, { conversationId, afterId }, { quiet: true })
  return answer.data.list
}

async function post(conversationId: ConversationRef, text: string, idempotencyKey: string): Promise<ChatMessage> {
  const options = { quiet: true, idempotencyKey }
  const answer =
    conversationId === null
      ? await call(chatEndpoints.sendMyMessage, { text }, options)
      : await call(chatEndpoints.replyToConversation, { conversationId, text }, options)
  return answer.data
}
