import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactElement } from 'react'
import { chatTextMax, type ChatMessage } from '@saddle/contract/support/chat.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { useStore } from '#kit/store.ts'
import { keepDraft, readDraft } from './drafts.ts'
import { createFeed, type ConversationRef } from './feed.ts'

interface ConversationProps {
  readonly conversation: ConversationRef
  readonly emptyText: string
}

/** Messages of one conversation (another one needs another key) and the reply field. Unsent text is kept. */
export function Conversation({ conversation, emptyText }: ConversationProps): ReactElement {
  const [feed] = useState(() => createFeed(conversation))
  const { state, list } = useStore(feed.messages)
  useEffect(() => feed.follow(), [feed])
  return (
    <>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, so the keyboard must reach it */}
      <div className="chat-list" role="log" aria-label={t('消息')} tabIndex={0}>
        {state === 'loading' && <p className="chat-note">{t('正在加载…')}</p>}
        {state === 'failed' && (
          <p className="chat-note" role="alert">
            {t('消息没有取到。')}
            <button type="button" className="chat-plain" onClick={() => void feed.read()}>
              {t('重试')}
            </button>
          </p>
        )}
        {state === 'ready' && list.length === 0 && <p className="chat-note">{emptyText}</p>}
        {list.map((message) => (
          <Bubble key={message.id} message={message} mine={message.fromSupport === (conversation !== null)} />
        ))}
        <End />
      </div>
      <Composer key={conversation ?? 'mine'} name={String(conversation ?? 'mine')} onSend={feed.send} />
    </>
  )
}

function Bubble({ message, mine }: { readonly message: ChatMessage; readonly mine: boolean }): ReactElement {
  return (
    <div className="chat-message" data-mine={mine}>
      <small>
        {mine ? '' : `${message.authorName} · `}
        <time dateTime={new Date(message.sentAt).toISOString()}>{dateTime(message.sentAt)}</time>
      </small>
      <p>{message.text}</p>
    </div>
  )
}

/** Keeps the newest message in sight. */
function End(): ReactElement {
  const mark = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    const list = mark.current?.parentElement
    if (list) list.scrollTop = list.scrollHeight
  })
  return <span ref={mark} />
}

interface ComposerProps {
  readonly name: string
  readonly onSend: (text: string, idempotencyKey: string) => Promise<string | null>
}

function Composer({ name, onSend }: ComposerProps): ReactElement {
  const [text, setText] = useState(() => readDraft(name))
  const [fault, setFault] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  // The same text tried again after a fault is the same message, not a second one.
  const attempt = useRef<{ readonly text: string; readonly key: string } | null>(null)
  useEffect(() => keepDraft(name, text), [name, text])
  const submit = async (): Promise<void> => {
    const wanted = text.trim()
    if (wanted === '' || busy) return
    if (attempt.current?.text !== wanted) attempt.current = { text: wanted, key: newKey() }
    setBusy(true)
    const refused = await onSend(wanted, attempt.current.key)
    setBusy(false)
    setFault(refused)
    if (refused !== null) return
    attempt.current = null
    setText('')
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    void submit()
  }
  return (
    <form
      className="chat-compose"
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      {fault !== null && <p role="alert">{fault}</p>}
      <textarea
        rows={2}
        maxLength={chatTextMax}
        aria-label={t('输入消息')}
        placeholder={t('输入消息，Enter 发送，Shift + Enter 换行')}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={onKeyDown}
      />
      <button type="submit" disabled={busy || text.trim() === ''}>
        {t('发送')}
      </button>
    </form>
  )
}

function newKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
