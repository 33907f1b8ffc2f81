import { useEffect, type ReactElement } from 'react'
import { Link, useLocation } from 'react-router'
import { inboxEndpoints, type OwnNotice } from '@saddle/contract/notices/inbox.ts'
import { useAction } from '#kit/action/useAction.ts'
import { t } from '#kit/i18n/index.ts'
import { liveSocket } from '#kit/live/socket.ts'
import { Button } from '#kit/plain/Button.tsx'
import { queryClient, useEndpoint } from '#kit/query.ts'
import { Ago } from '#kit/ui/Ago.tsx'
import { Popover } from '#kit/ui/Popover.tsx'
import { Empty, ErrorState, Loading } from '#kit/ui/states.tsx'
import './bell.css'

/** Asks now and then too: the live line may be down. */
const askEveryMs = 60_000
const shownRows = 20
const mostShown = 99
export const inboxPath = '/backend/message-config'
const stale = [inboxEndpoints.countOwnNotices, inboxEndpoints.listOwnNotices]

/** How many notices are unread, and the latest of them; each leads to what it is about. */
export default function Bell(): ReactElement {
  const { pathname, search } = useLocation()
  const { data } = useEndpoint(inboxEndpoints.countOwnNotices, {}, { quiet: true, refetchIntervalMs: askEveryMs })
  useEffect(
    () =>
      liveSocket.onEvent((event) => {
        if (event.type !== 'notice') return
        for (const { method, path } of stale) void queryClient.invalidateQueries({ queryKey: [`${method} ${path}`] })
      }),
    [],
  )
  const unread = data?.data.unread ?? 0
  const label = unread === 0 ? t('消息') : t('消息，{{count}} 条未读', { count: unread })
  return (
    <Popover
      label={t('消息')}
      className="shell-button"
      buttonLabel={label}
      place={`${pathname}${search}`}
      face={
        <span className="bell" data-testid="bell">
          <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
            <path d="M5 14V9a5 5 0 0 1 10 0v5l1.5 1.5h-13zM8 17.5h4" />
          </svg>
          {unread > 0 && <span className="bell-count">{unread > mostShown ? `${mostShown}+` : unread}</span>}
        </span>
      }
    >
      {(close) => <Latest unread={unread} close={close} />}
    </Popover>
  )
}

function Latest({ unread, close }: { readonly unread: number; readonly close: () => void }): ReactElement {
  const { data, error, refetch } = useEndpoint(inboxEndpoints.listOwnNotices, { pageSize: shownRows }, { quiet: true })
  const read = useAction(inboxEndpoints.readOwnNotices, { stale })
  const rows = data?.data.list
  return (
    <div className="bell-panel">
      <header>
        <strong>{t('消息')}</strong>
        <Button look="quiet" disabled={unread === 0 || read.isBusy} onClick={() => read.send({})}>
          {t('全部已读')}
        </Button>
      </header>
      {rows === undefined && error === null && <Loading />}
      {rows === undefined && error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {rows?.length === 0 && <Empty title={t('还没有消息')} />}
      <ul>
        {rows?.map((row) => (
          <li key={row.id}>
            <Entry
              row={row}
              onOpen={() => {
                if (row.readAt === null) read.send({ ids: [row.id] })
                close()
              }}
            />
          </li>
        ))}
      </ul>
      <Link className="bell-all" to={inboxPath} onClick={close}>
        {t('全部消息与通知设置')}
      </Link>
    </div>
  )
}

function Entry({ row, onOpen }: { readonly row: OwnNotice; readonly onOpen: () => void }): ReactElement {
  return (
    <Link className="bell-entry" to={row.path} data-unread={row.readAt === null} onClick={onOpen}>
      <strong>{row.title}</strong>
      <span>{row.body}</span>
      <Ago at={row.at} />
    </Link>
  )
}
