import { useState, type ReactNode } from 'react'
import { Link, useNavigate } from 'react-router'
import {
  inboxEndpoints,
  ownNoticeFields,
  ownNoticeList,
  type OwnNotice,
  type OwnNoticeFilter,
} from '@saddle/contract/notices/inbox.ts'
import { noticeEvent, noticeEventLabels } from '@saddle/contract/notices/events.ts'
import { noticeKindLabels } from '@saddle/contract/notices/words.ts'
import { useAction } from '#kit/action/useAction.ts'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { text } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { keyword, many } from '#kit/list/filters/specs.tsx'
import type { FilterSpec } from '#kit/list/filters/types.ts'
import { ListCard } from '#kit/list/ListCard.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Mark } from '#kit/ui/Mark.tsx'

const own = listOf({
  list: ownNoticeList,
  call: inboxEndpoints.listOwnNotices,
  file: inboxEndpoints.exportOwnNotices,
  fields: ownNoticeFields,
})
const stale = [inboxEndpoints.countOwnNotices, inboxEndpoints.listOwnNotices]

const filters = (): readonly FilterSpec<OwnNoticeFilter>[] => [
  keyword(t('标题或内容'), 'keyword'),
  many('kinds', t('类别'), noticeKindLabels),
]

/** What the person was told, and where they are told outside of the console. */
export function Own(): ReactNode {
  const list = useList(own)
  const navigate = useNavigate()
  const read = useAction(inboxEndpoints.readOwnNotices, { stale })
  const { data } = useEndpoint(inboxEndpoints.countOwnNotices, {}, { quiet: true })
  const unread = data?.data.unread ?? 0
  const open = (row: OwnNotice): void => {
    if (row.readAt === null) read.send({ ids: [row.id] })
    void navigate(row.path)
  }
  return (
    <>
      <Ways />
      <ListCard<OwnNotice, OwnNoticeFilter>
        list={list}
        label={t('我的消息')}
        filters={filters()}
        columns={columns}
        onOpen={open}
        empty={t('还没有消息')}
        extra={
          <Button disabled={unread === 0 || read.isBusy} onClick={() => read.send({})}>
            {unread === 0 ? t('全部已读') : t('全部已读（{{count}} 条）', { count: unread })}
          </Button>
        }
      />
    </>
  )
}

const columns = (): readonly ColumnSpec<OwnNotice>[] => [
  'at',
  { key: 'event', render: ({ event }) => t(noticeEventLabels[event]) },
  {
    key: 'title',
    card: 'head',
    render: ({ title, readAt }) => (readAt === null ? <strong>{title}</strong> : title),
  },
  { key: 'body', card: 'wide', render: ({ body }) => <span className="notice-body">{body}</span> },
  {
    key: 'kind',
    title: t('类别'),
    isOptional: true,
    render: ({ event }) => t(noticeKindLabels[noticeEvent(event).kind]),
  },
  {
    key: 'readAt',
    title: t('状态'),
    render: ({ readAt }) =>
      readAt === null ? <Mark tone="info">{t('未读')}</Mark> : <Mark tone="off">{t('已读')}</Mark>,
  },
]

/** The person's own address, and which kinds they hear of. */
function Ways(): ReactNode {
  const { data } = useEndpoint(inboxEndpoints.ownNoticeAddress, {})
  const [isOpen, setOpen] = useState<'ask' | 'confirm' | null>(null)
  const remove = useAction(inboxEndpoints.removeNoticeAddress, {
    stale: [inboxEndpoints.ownNoticeAddress],
    done: () => t('已删除邮箱，不再收到邮件通知'),
  })
  const address = data?.data
  if (address === undefined) return null
  const { email, pending } = address
  return (
    <section className="page-card notice-ways">
      <p>
        {t('邮件通知发往：')}
        <strong>{email ?? t('未登记')}</strong>
        {pending !== null && <span>{t('{{email}} 等待验证', { email: pending })}</span>}
      </p>
      <span className="notice-buttons">
        {pending !== null && <Button onClick={() => setOpen('confirm')}>{t('输入验证码')}</Button>}
        <Button onClick={() => setOpen('ask')}>{email === null ? t('登记邮箱') : t('更换邮箱')}</Button>
        {email !== null && (
          <Button look="quiet" disabled={remove.isBusy} onClick={() => remove.send({})}>
            {t('删除邮箱')}
          </Button>
        )}
        <Link to="/account">{t('选择接收哪些类别')}</Link>
      </span>
      {isOpen === 'ask' && (
        <FormDialog
          title={t('登记邮箱')}
          call={inboxEndpoints.askNoticeAddress}
          about="own"
          fields={{ email: text({ label: t('邮箱'), type: 'email', autoComplete: 'email', isSecret: true }) }}
          input={(values) => values}
          submit={t('发送验证码')}
          stale={[inboxEndpoints.ownNoticeAddress]}
          done={() => t('验证码已发送，15 分钟内有效')}
          onDone={() => setOpen('confirm')}
          onClose={() => setOpen((now) => (now === 'ask' ? null : now))}
        />
      )}
      {isOpen === 'confirm' && (
        <FormDialog
          title={t('输入验证码')}
          call={inboxEndpoints.confirmNoticeAddress}
          about="own"
          fields={{
            code: text({ label: t('验证码'), inputMode: 'numeric', isSecret: true, refusals: ['code_invalid'] }),
          }}
          input={(values) => values}
          submit={t('确认邮箱')}
          stale={[inboxEndpoints.ownNoticeAddress]}
          done={() => t('邮箱已确认')}
          onClose={() => setOpen(null)}
        />
      )}
    </section>
  )
}
