import { useCallback, useEffect, useRef, useState } from 'react'
import { chatEndpoints, type ChatMessage } from '@saddle/contract/support/chat.ts'
import { call, isApiError } from '#kit/api/client.ts'
import { t } from '#kit/i18n/index.ts'
import { liveSocket, useLiveStatus } from '#kit/live/socket.ts'
import { lastId, mergeMessages } from './rules.ts'

/** `null` is one's own conversation with the support, a number one of the inbox. */
export type ConversationRef = number | null

export interface Messages {
  readonly state: 'loading' | 'ready' | 'failed'
  readonly list: readonly ChatMessage[]
  readonly reload: () => void
  /** Sends a text and resolves with the fault to show, or null when it was taken. */
  readonly send: (text: string, idempotencyKey: string) => Promise<string | null>
}

/** Asked so often while the live socket is open, and while it is not. */
const pollMs = { live: 60_000, alone: 4_000 } as const

/** The messages of a conversation: live by socket event, by asking while there is no socket. */
export function useMessages(conversation: ConversationRef): Messages {
  const [state, setState] = useState<Messages['state']>('loading')
  const [list, setList] = useState<readonly ChatMessage[]>([])
  const known = useRef<readonly ChatMessage[]>([])
  const { state: line } = useLiveStatus()
  const add = useCallback((more: readonly ChatMessage[]) => {
    known.current = mergeMessages(known.current, more)
    setList(known.current)
  }, [])
  const read = useCallback(async () => {
    try {
      add(await readAfter(conversation, lastId(known.current)))
      setState('ready')
    } catch {
      setState((before) => (before === 'ready' ? 'ready' : 'failed'))
    }
  }, [add, conversation])
  useEffect(() => {
    void read()
    const timer = setInterval(() => void read(), line === 'open' ? pollMs.live : pollMs.alone)
    return () => clearInterval(timer)
  }, [read, line])
  // An event says that there is something new; what it is, is read by the call that checks who may read it.
  useEffect(
    () =>
      liveSocket.onEvent((event) => {
        if (event.type === 'chat') void read()
      }),
    [read],
  )
  const send = async (text: string, idempotencyKey: string): Promise<string | null> => {
    try {
      add([await post(conversation, text, idempotencyKey)])
      return null
    } catch (error) {
      return isApiError(error) ? t(error.promot) : t('网络出现问题，请稍后再试')
    }
  }
  return { state, list, reload: () => void read(), send }
}

async function readAfter(conversationId: ConversationRef, afterId: number): Promise<readonly ChatMessage[]> {
  const answer =
    conversationId === null
      ? await call(chatEndpoints.listMyMessages, { afterId }, { quiet: true })
      : await call(chatEndpoints.listConversationMessages, { conversationId, afterId }, { quiet: true })
  return answer.data.list as readonly ChatMessage[]
}

async function post(conversationId: ConversationRef, text: string, idempotencyKey: string): Promise<ChatMessage> {
  const options = { quiet: true, idempotencyKey }
  const answer =
    conversationId === null
      ? await call(chatEndpoints.sendMyMessage, { text }, options)
      : await call(chatEndpoints.replyToConversation, { conversationId, text }, options)
  return answer.data as ChatMessage
}
