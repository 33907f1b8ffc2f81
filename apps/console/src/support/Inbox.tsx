import { useEffect, useState, type ReactElement } from 'react'
import { chatEndpoints, type Conversation as ConversationRow } from '@saddle/contract/support/chat.ts'
import { t } from '#kit/i18n/index.ts'
import { liveSocket } from '#kit/live/socket.ts'
import { useEndpoint } from '#kit/query.ts'
import { Ago } from '#kit/ui/Ago.tsx'
import { Conversation } from './Conversation.tsx'

const pollMs = 15_000

/** All conversations with support, unread ones first, and the open one. */
export function Inbox(): ReactElement {
  const { rows, failed, reload } = useConversations()
  const [openId, setOpenId] = useState<number | null>(null)
  const open = rows?.find((row) => row.id === openId)
  if (open !== undefined) {
    const back = (): void => {
      setOpenId(null)
      reload()
    }
    return (
      <>
        <div className="chat-with">
          <button type="button" className="chat-plain" onClick={back}>
            ‹ {t('收件箱')}
          </button>
          <b>{open.operatorName}</b>
          <small>{open.company}</small>
        </div>
        <Conversation key={openId} conversation={openId} emptyText={t('还没有消息。')} />
      </>
    )
  }
  return (
    <div className="chat-list">
      {rows === null && !failed && <p className="chat-note">{t('正在加载…')}</p>}
      {failed && rows === null && (
        <p className="chat-note" role="alert">
          {t('收件箱没有取到。')}
          <button type="button" className="chat-plain" onClick={reload}>
            {t('重试')}
          </button>
        </p>
      )}
      {rows?.length === 0 && <p className="chat-note">{t('没有人在等待回复。')}</p>}
      {rows?.map((row) => (
        <button key={row.id} type="button" className="chat-row" onClick={() => setOpenId(row.id)}>
          <span>
            <b>{row.operatorName}</b>
            <small>{row.company}</small>
            <Ago at={row.lastAt} />
          </span>
          <span>
            <em>{row.lastText}</em>
            {row.unread > 0 && <i aria-label={t('{{count}} 条未读', { count: row.unread })}>{row.unread}</i>}
          </span>
        </button>
      ))}
    </div>
  )
}

interface Conversations {
  readonly rows: readonly ConversationRow[] | null
  readonly failed: boolean
  readonly reload: () => void
}

function useConversations(): Conversations {
  const { data, error, refetch } = useEndpoint(
    chatEndpoints.listConversations,
    {},
    { refetchIntervalMs: pollMs, keepPrevious: true, quiet: true },
  )
  useEffect(
    () =>
      liveSocket.onEvent((event) => {
        if (event.type === 'chat') void refetch()
      }),
    [refetch],
  )
  return { rows: data?.data.list ?? null, failed: error !== null, reload: () => void refetch() }
}
