import type { ReactNode } from 'react'
import { Link } from 'react-router'
import {
  payoutEndpoints,
  payoutLineFields,
  payoutLineList,
  type PayoutLine,
  type PayoutLineFilter,
} from '@saddle/contract/finance/payouts.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { ListCard } from '#kit/list/ListCard.tsx'
import { Moment, type ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { kindText, linesPath, rulesPath } from '../splitBills/words.ts'

const lines = listOf({
  list: payoutLineList,
  call: payoutEndpoints.listPayoutLines,
  sums: payoutEndpoints.sumPayoutLines,
  file: payoutEndpoints.exportPayoutLines,
  fields: payoutLineFields,
  rowKey: ({ source, entryNumber }) => `${source}-${entryNumber}`,
})

/** The rides behind the cents of a withdrawal, of all days or of one. */
export function PayoutLines({ withdrawalId, day }: { withdrawalId: number; day: string | null }): ReactNode {
  const fixed = { withdrawalId, ...(day !== null && { day }) }
  const list = useList(lines, { fixed, isInside: true, isPhone: true })
  return (
    <ListCard<PayoutLine, PayoutLineFilter>
      list={list}
      label={t('骑行明细')}
      columns={columns}
      rowName={({ entryNumber }) => String(entryNumber)}
      empty={t('没有来自已结算日子的资金')}
    />
  )
}

const columns = (): readonly ColumnSpec<PayoutLine>[] => [
  { key: 'at', card: 'head', render: ({ at }) => <Moment at={at} /> },
  { key: 'kind', card: 'head', render: ({ kind }) => kindText(kind) },
  {
    key: 'orderId',
    render: ({ orderId }) => (orderId === null ? '--' : <Link to={linesPath(orderId)}>{orderId}</Link>),
  },
  'paidCents',
  'ownerCents',
  'cents',
  {
    key: 'termsVersion',
    title: t('规则'),
    render: ({ termsVersion, agentId }) =>
      termsVersion === null ? (
        t('无规则')
      ) : (
        <Link to={rulesPath(agentId)}>{t('第 {{count}} 版', { count: termsVersion })}</Link>
      ),
  },
  { key: 'areaName', isOptional: true, card: 'none' },
  { key: 'day', isOptional: true, card: 'none' },
  { key: 'entryNumber', isOptional: true, card: 'none' },
]
