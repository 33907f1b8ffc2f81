import type { ReactNode } from 'react'
import {
  deliveryFields,
  deliveryList,
  noticeConfigEndpoints,
  type Delivery,
  type DeliveryFilter,
} from '@saddle/contract/notices/config.ts'
import { noticeEventLabels } from '@saddle/contract/notices/events.ts'
import {
  deliveryReasonLabels,
  deliveryStateLabels,
  noticeChannelLabels,
  type DeliveryState,
} from '@saddle/contract/notices/words.ts'
import { useAction } from '#kit/action/useAction.ts'
import { number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { days, keyword, many } from '#kit/list/filters/specs.tsx'
import type { FilterSpec } from '#kit/list/filters/types.ts'
import { ListCard } from '#kit/list/ListCard.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { Button } from '#kit/plain/Button.tsx'
import { Mark, type Tone } from '#kit/ui/Mark.tsx'

const log = listOf({
  list: deliveryList,
  call: noticeConfigEndpoints.listDeliveries,
  file: noticeConfigEndpoints.exportDeliveries,
  fields: deliveryFields,
})

const tones: Readonly<Record<DeliveryState, Tone>> = {
  queued: 'info',
  sending: 'info',
  sent: 'good',
  failed: 'bad',
  suppressed: 'off',
}

const filters = (): readonly FilterSpec<DeliveryFilter>[] => [
  keyword(t('标题或接收人'), 'keyword'),
  many('states', t('状态'), deliveryStateLabels),
  many('channels', t('渠道'), noticeChannelLabels),
  many('events', t('事项'), noticeEventLabels),
  days(t('日期')),
]

/** Every notice to every receiver by every channel, and what became of it. */
export function Deliveries(): ReactNode {
  const list = useList(log)
  return (
    <ListCard<Delivery, DeliveryFilter>
      list={list}
      label={t('发送记录')}
      filters={filters()}
      columns={columns}
      empty={t('还没有发送过通知')}
    />
  )
}

const columns = (): readonly ColumnSpec<Delivery>[] => [
  'at',
  { key: 'title', card: 'head' },
  { key: 'operatorName', render: ({ operatorName }) => (operatorName === '' ? t('公司的系统') : operatorName) },
  'channel',
  {
    key: 'state',
    card: 'head',
    render: (row) => (
      <>
        <Mark tone={tones[row.state]}>{t(deliveryStateLabels[row.state])}</Mark>
        {row.state === 'failed' && <Again row={row} />}
      </>
    ),
  },
  { key: 'reason', render: ({ reason }) => (reason === null ? '--' : t(deliveryReasonLabels[reason])) },
  // A message in the console is written, not sent: it is never tried again.
  {
    key: 'attempts',
    numeric: true,
    render: ({ channel, attempts }) => (channel === 'in_app' ? '--' : number(attempts)),
  },
  'nextAt',
  'sentAt',
  { key: 'readAt', isOptional: true },
  { key: 'event', isOptional: true },
  { key: 'company', isOptional: true },
  { key: 'id', isOptional: true, card: 'none' },
]

function Again({ row }: { readonly row: Delivery }): ReactNode {
  const resend = useAction(noticeConfigEndpoints.resendDeliveries, {
    stale: [noticeConfigEndpoints.listDeliveries],
    done: () => t('已重新排队发送'),
  })
  return (
    <Button look="quiet" disabled={resend.isBusy} onClick={() => resend.send({ ids: [row.id] })}>
      {t('重新发送')}
    </Button>
  )
}
