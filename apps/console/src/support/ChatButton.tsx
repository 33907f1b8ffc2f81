import { useEffect, useRef, useState, type ReactElement } from 'react'
import { chatWindow, useChatWindow } from '#kit/chatWindow.ts'
import { Chunk } from '#kit/chunk.tsx'
import { t } from '#kit/i18n/index.ts'
import { liveSocket } from '#kit/live/socket.ts'
import type { PageLoader } from '#kit/pages.ts'
import { isLoggedIn, useSession } from '#kit/session/store.ts'
import { openChat } from './openChat.ts'
import { visitorText } from './rules.ts'
import './chat.css'

const loadPanel: PageLoader = () => import('./ChatPanel.tsx')

interface Props {
  /** `corner`: over the page, where no header is. */
  readonly place?: 'corner' | 'header'
}

/**
 * The button to the customer service, light enough for the login pages. Somebody who is not logged in is told
 * to log in; otherwise it opens the configured third-party chat, or the built-in one.
 */
export function ChatButton({ place = 'corner' }: Props): ReactElement {
  const session = useSession()
  const open = useChatWindow() !== 'shut'
  const button = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    // Logging out closes the conversation.
    if (session === null) chatWindow.set('shut')
  }, [session])
  const hasNews = useNews(open)
  const press = (): void => {
    if (open) chatWindow.set('shut')
    else void openChat()
  }
  const close = (): void => {
    chatWindow.set('shut')
    button.current?.focus()
  }
  return (
    <div className="chat" data-place={place}>
      {open && <ChatWindow onClose={close} />}
      <button
        ref={button}
        type="button"
        className="chat-button"
        aria-label={t('在线客服')}
        aria-expanded={open}
        title={t('在线客服')}
        onClick={press}
      >
        <svg width="22" height="22" viewBox="0 0 20 20" aria-hidden="true">
          <path d="M3 4h14v9.5h-6.5L7 17v-3.5H3zM7 8.7h.1M10 8.7h.1M13 8.7h.1" />
        </svg>
        {hasNews && <i className="chat-news" aria-label={t('有新消息')} />}
      </button>
    </div>
  )
}

/** Whether something was written since the chat was last open. */
function useNews(isOpen: boolean): boolean {
  const [hasNews, setNews] = useState(false)
  if (isOpen && hasNews) setNews(false)
  useEffect(() => {
    if (isOpen) return undefined
    return liveSocket.onEvent((event) => {
      if (event.type === 'chat') setNews(true)
    })
  }, [isOpen])
  return hasNews
}

function ChatWindow({ onClose }: { readonly onClose: () => void }): ReactElement {
  const section = useRef<HTMLElement>(null)
  const leave = useRef(onClose)
  useEffect(() => {
    leave.current = onClose
  })
  useEffect(() => {
    const element = section.current
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') leave.current()
    }
    element?.addEventListener('keydown', onKeyDown)
    return () => element?.removeEventListener('keydown', onKeyDown)
  }, [])
  return (
    <section ref={section} className="chat-window" aria-label={t('在线客服')}>
      <header>
        <b>{t('在线客服')}</b>
        <button type="button" className="chat-plain" aria-label={t('关闭')} onClick={onClose}>
          ×
        </button>
      </header>
      {isLoggedIn() ? <Chunk load={loadPanel} size="panel" /> : <p className="chat-visitor">{t(visitorText)}</p>}
    </section>
  )
}
