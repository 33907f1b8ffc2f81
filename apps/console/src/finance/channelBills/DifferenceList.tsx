import type { ReactNode } from 'react'
import {
  channelBillEndpoints,
  channelDifferenceFields,
  channelDifferenceList,
  differenceKindLabels,
  differenceResolutionLabels,
  differenceStateLabels,
  type ChannelDifference,
} from '@saddle/contract/finance/channelBills.ts'
import { paymentChannelLabels } from '@saddle/contract/finance/payments.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { days, keyword, many } from '#kit/list/filters/specs.tsx'
import { ListPage } from '#kit/list/ListPage.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { DifferenceMark } from './DifferenceMark.tsx'
import { DifferencePanel } from './DifferencePanel.tsx'
import { Views } from './Views.tsx'

const differences = listOf({
  list: channelDifferenceList,
  call: channelBillEndpoints.listChannelDifferences,
  sums: channelBillEndpoints.sumChannelDifferences,
  file: channelBillEndpoints.exportChannelDifferences,
  fields: channelDifferenceFields,
  usual: { states: ['parked', 'open', 'proposed', 'suspended'] },
})

const isWaiting = ({ resolutions, canConfirm }: ChannelDifference): boolean => resolutions.length > 0 || canConfirm

/** What bills and the platform do not agree about: proposed by one person, confirmed by another. */
export function DifferenceList(): ReactNode {
  const list = useList(differences)
  return (
    <ListPage
      list={list}
      title={t('渠道对账')}
      above={<Views view="differences" />}
      layout="queue"
      filters={[
        keyword(t('商户单号'), 'number'),
        many('states', t('状态'), differenceStateLabels),
        many('kinds', t('差异类型'), differenceKindLabels),
        many('channels', t('渠道'), paymentChannelLabels),
        days(t('账单日期')),
      ]}
      columns={columns}
      rowName={({ number }) => number}
      empty={t('没有差异：账单与平台一致')}
      isWaiting={isWaiting}
      renderPanel={(row, { goOn }) => (
        <DifferencePanel key={`${row.id} ${row.state}`} difference={row} onDecided={goOn} />
      )}
    />
  )
}

const columns = (): readonly ColumnSpec<ChannelDifference>[] => [
  { key: 'kind', card: 'head', render: ({ kind }) => t(differenceKindLabels[kind]) },
  { key: 'state', card: 'head', render: ({ state }) => <DifferenceMark state={state} /> },
  { key: 'day', sort: 'day' },
  { key: 'channel', render: ({ channel }) => t(paymentChannelLabels[channel]) },
  'company',
  { key: 'isRefund', title: t('类别'), render: ({ isRefund }) => (isRefund ? t('退款') : t('支付')) },
  'billCents',
  'ownCents',
  'deltaCents',
  { key: 'heldCents', card: 'none' },
  {
    key: 'resolution',
    render: ({ resolution }) => (resolution === null ? '--' : t(differenceResolutionLabels[resolution])),
  },
  { key: 'proposedBy', card: 'none' },
  { key: 'decidedBy', card: 'none' },
  { key: 'number', isOptional: true },
  { key: 'tradeNumber', isOptional: true },
  { key: 'foundAt', isOptional: true },
  { key: 'id', isOptional: true },
]
