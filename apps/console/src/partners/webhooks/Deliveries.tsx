import { useState, type ReactNode } from 'react'
import { sentEventLabels } from '@saddle/contract/partners/webhookEvents.ts'
import {
  webhookDeliveryFields,
  webhookDeliveryList,
  webhookDeliveryStateLabels,
  webhookEndpoints,
  type WebhookDelivery,
  type WebhookDeliveryFilter,
  type WebhookDeliveryState,
} from '@saddle/contract/partners/webhooks.ts'
import { useAction } from '#kit/action/useAction.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { days, many } from '#kit/list/filters/specs.tsx'
import type { FilterSpec } from '#kit/list/filters/types.ts'
import { ListCard } from '#kit/list/ListCard.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { Button } from '#kit/plain/Button.tsx'
import { Facts } from '#kit/ui/Facts.tsx'
import { Mark, type Tone } from '#kit/ui/Mark.tsx'
import { Sheet } from '#kit/ui/Sheet.tsx'

const log = listOf({
  list: webhookDeliveryList,
  call: webhookEndpoints.listWebhookDeliveries,
  file: webhookEndpoints.exportWebhookDeliveries,
  fields: webhookDeliveryFields,
})

const tones: Readonly<Record<WebhookDeliveryState, Tone>> = { queued: 'info', sent: 'good', failed: 'bad' }

const filters = (): readonly FilterSpec<WebhookDeliveryFilter>[] => [
  many('states', t('状态'), webhookDeliveryStateLabels),
  many('events', t('事件'), sentEventLabels),
  days(t('日期')),
]

/** Every message to every webhook, and what the other side answered. */
export function WebhookDeliveries(): ReactNode {
  const list = useList(log)
  const [shown, setShown] = useState<WebhookDelivery | null>(null)
  const columns = (): readonly ColumnSpec<WebhookDelivery>[] => [
    'at',
    { key: 'event', card: 'head' },
    'subject',
    'webhook',
    {
      key: 'state',
      card: 'head',
      render: ({ state }) => <Mark tone={tones[state]}>{t(webhookDeliveryStateLabels[state])}</Mark>,
    },
    { key: 'answerStatus', numeric: true },
    { key: 'fault' },
    { key: 'attempts', numeric: true },
    'nextAt',
    { key: 'sentAt', isOptional: true },
    { key: 'tookMs', numeric: true, isOptional: true },
    { key: 'id', isOptional: true, card: 'none' },
    { key: 'actions', title: t('操作'), card: 'wide', render: (row) => <Acts row={row} onShow={setShown} /> },
  ]
  return (
    <section className="page-card feed-card" aria-label={t('推送记录')}>
      <ListCard<WebhookDelivery, WebhookDeliveryFilter>
        list={list}
        title={t('推送记录')}
        label={t('推送记录')}
        filters={filters()}
        columns={columns}
        empty={t('还没有推送过消息')}
      />
      {shown !== null && <Message row={shown} onClose={() => setShown(null)} />}
    </section>
  )
}

interface ActsProps {
  readonly row: WebhookDelivery
  readonly onShow: (row: WebhookDelivery) => void
}

function Acts({ row, onShow }: ActsProps): ReactNode {
  const replay = useAction(webhookEndpoints.replayWebhookDeliveries, {
    stale: [webhookEndpoints.listWebhookDeliveries, webhookEndpoints.listWebhooks],
    done: () => t('已重新排队推送'),
  })
  return (
    <>
      <Button look="quiet" aria-label={t('查看消息 {{id}}', { id: row.id })} onClick={() => onShow(row)}>
        {t('查看')}
      </Button>
      {row.state !== 'queued' && (
        <Button
          look="quiet"
          disabled={replay.isBusy}
          aria-label={t('重新推送消息 {{id}}', { id: row.id })}
          onClick={() => replay.send({ ids: [row.id] })}
        >
          {t('重新推送')}
        </Button>
      )}
    </>
  )
}

function Message({ row, onClose }: { readonly row: WebhookDelivery; readonly onClose: () => void }): ReactNode {
  const { id, webhook, event, at, attempts, state, answerStatus, answer, fault, tookMs, body } = row
  return (
    <Sheet label={t('消息 {{id}}', { id })} onClose={onClose}>
      <Facts
        facts={[
          ['Webhook', webhook],
          [t('事件'), t(sentEventLabels[event])],
          [t('时间'), dateTime(at)],
          [
            t('状态'),
            <Mark key="state" tone={tones[state]}>
              {t(webhookDeliveryStateLabels[state])}
            </Mark>,
          ],
          [t('发送次数'), String(attempts)],
          [t('应答码'), answerStatus === null ? (fault ?? '—') : String(answerStatus)],
          [t('耗时（毫秒）'), tookMs === null ? '—' : String(tookMs)],
        ]}
      />
      <h3>{t('消息内容')}</h3>
      <pre className="feed-message">{JSON.stringify(JSON.parse(body), null, 2)}</pre>
      <h3>{t('应答内容')}</h3>
      <pre className="feed-message">{answer === null || answer === '' ? '—' : answer}</pre>
    </Sheet>
  )
}
