import type { ReactNode } from 'react'
import { Link } from 'react-router'
import {
  splitBillEndpoints,
  splitLineFields,
  splitLineKindLabels,
  splitLineList,
  type SplitLine,
  type SplitLineFilter,
} from '@saddle/contract/finance/splitBills.ts'
import { money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { areas, days, keyword, many } from '#kit/list/filters/specs.tsx'
import { ListCard } from '#kit/list/ListCard.tsx'
import { ListPage } from '#kit/list/ListPage.tsx'
import { Moment, type ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { LinePanel } from '../payouts/RideMoney.tsx'
import { areaText, kindText, linesPath, rulesPath } from './words.ts'

const { shares: _, ...shownFields } = splitLineFields
const lines = listOf({
  list: splitLineList,
  call: splitBillEndpoints.listSplitLines,
  file: splitBillEndpoints.exportSplitLines,
  fields: shownFields,
  rowKey: ({ agentId, entryNumber }) => `${agentId}-${entryNumber}`,
})

const orderKeyword = () =>
  keyword<SplitLineFilter>(t('订单编号'), {
    names: ['orderId'],
    read: (text) => (/^\d{1,15}$/.test(text.trim()) ? { orderId: Number(text) } : {}),
    write: ({ orderId }) => (orderId === undefined ? '' : String(orderId)),
  })

/** Every entry of income with how it was divided. */
export function LinesPage({ tabs }: { tabs: ReactNode }): ReactNode {
  const list = useList(lines)
  return (
    <ListPage<SplitLine, SplitLineFilter>
      list={list}
      title={t('分账明细')}
      actions={tabs}
      filters={[orderKeyword(), many('kinds', t('类型'), splitLineKindLabels), days(t('日期')), areas('areaIds')]}
      columns={() => columns(true)}
      rowName={({ entryNumber }) => String(entryNumber)}
      empty={t('还没有收入')}
      renderPanel={(row) => <LinePanel key={`${row.agentId}-${row.entryNumber}`} line={row} />}
    />
  )
}

/** Those of one bill. */
export function Lines({ fixed }: { readonly fixed: Readonly<Record<string, unknown>> }): ReactNode {
  const list = useList(lines, { fixed, isInside: true, isPhone: true })
  return (
    <ListCard<SplitLine, SplitLineFilter>
      list={list}
      label={t('分账明细')}
      filters={[orderKeyword(), many('kinds', t('类型'), splitLineKindLabels)]}
      columns={() => columns(false)}
      rowName={({ entryNumber }) => String(entryNumber)}
      empty={t('还没有收入')}
    />
  )
}

const columns = (isWhole: boolean): readonly ColumnSpec<SplitLine>[] => [
  { key: 'at', card: 'head', render: ({ at }) => <Moment at={at} /> },
  { key: 'kind', card: 'head', render: ({ kind }) => kindText(kind) },
  ...(isWhole
    ? ([
        { key: 'day', card: 'none' },
        { key: 'areaName', render: areaText },
        { key: 'company', card: 'none' },
      ] satisfies ColumnSpec<SplitLine>[])
    : []),
  {
    key: 'orderId',
    render: ({ orderId }) =>
      orderId === null ? (
        '--'
      ) : (
        <Link to={isWhole ? `/user-order-detail?order=${orderId}` : linesPath(orderId)}>{orderId}</Link>
      ),
  },
  'paidCents',
  { key: 'feeCents', card: 'none' },
  'ownerCents',
  {
    key: 'parties',
    title: t('分账方'),
    card: 'wide',
    render: ({ parties }) =>
      parties.length === 0 ? '--' : parties.map(({ name, cents }) => `${name} ${money(cents)}`).join(' · '),
  },
  {
    key: 'termsVersion',
    title: t('规则'),
    render: ({ termsId, termsVersion, agentId }) =>
      termsId === null ? (
        t('无规则')
      ) : (
        <Link to={rulesPath(agentId)}>{t('第 {{count}} 版', { count: termsVersion ?? 0 })}</Link>
      ),
  },
  { key: 'channelCents', isOptional: true, card: 'none' },
  { key: 'entryNumber', isOptional: true, card: 'none' },
]
