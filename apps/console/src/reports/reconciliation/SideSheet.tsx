import type { ReactNode } from 'react'
import { paymentChannelLabels } from '@saddle/contract/finance/payments.ts'
import {
  reconciliationEndpoints,
  reconciliationRowSideLabels,
  reconciliationSourceFields,
  reconciliationSourceList,
  type ReconciliationFilter,
  type ReconciliationSource,
} from '@saddle/contract/reports/reconciliation.ts'
import { moneyWithSign, number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { ListCard } from '#kit/list/ListCard.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { useEndpoint } from '#kit/query.ts'
import { Sheet } from '#kit/ui/Sheet.tsx'
import '../figures/reports.css'
import type { SideOfRow } from './side.ts'

const sources = listOf({
  list: reconciliationSourceList,
  call: reconciliationEndpoints.listReconciliationRows,
  file: reconciliationEndpoints.exportReconciliationRows,
  fields: reconciliationSourceFields,
})

interface Props {
  readonly filter: ReconciliationFilter
  readonly opened: SideOfRow
  readonly onClose: () => void
}

/** Lines of bills, payments and refunds, or entries of the ledger behind a sum, and what they add up to. */
export function SideSheet({ filter, opened, onClose }: Props): ReactNode {
  const { side, isRefund, from, to, channel, agentId } = opened
  const channels = channel === undefined ? filter.channels : [channel]
  const question = {
    side,
    from,
    to,
    ...(isRefund !== undefined && { isRefund }),
    ...(channels !== undefined && { channels }),
    ...(agentId !== undefined && { agentIds: [agentId] }),
  }
  const flow =
    isRefund === undefined ? (side === 'unmatched' ? t('差额') : t('净额')) : isRefund ? t('退款') : t('支付')
  const days = from === to ? from : `${from} – ${to}`
  const title = [
    `${t(reconciliationRowSideLabels[side])} · ${flow}`,
    days,
    ...(channel === undefined ? [] : [t(paymentChannelLabels[channel])]),
  ].join(' · ')
  return (
    <Sheet label={title} onClose={onClose} isWide>
      <div className="report-source">
        {side === 'unmatched' && (
          <p className="report-source-formula">
            {t(
              '同一加盟商、渠道、收支方向、金额的记录先按时刻、再按日期一一对应；剩下的只有一方有。合计等于“平台 − 账本”。',
            )}
          </p>
        )}
        <Sum question={question} />
        <Rows key={JSON.stringify(question)} question={question} title={title} />
      </div>
    </Sheet>
  )
}

type Question = Parameters<typeof useRows>[0]

function Sum({ question }: { readonly question: Question }): ReactNode {
  const { data } = useEndpoint(reconciliationEndpoints.sumReconciliationRows, { filter: question }, { quiet: true })
  if (data === undefined) return <p className="report-source-sum">{t('正在合计…')}</p>
  const { rows, sums } = data.data
  return (
    <p className="report-source-sum" data-testid="report-source-sum">
      {sums === null
        ? t('行数较多，不逐行合计；数字以报表为准。')
        : t('{{rows}} 行，合计 {{sum}}', { rows: number(rows), sum: moneyWithSign(sums.cents) })}
    </p>
  )
}

const useRows = (question: SideQuestion) => useList(sources, { fixed: { ...question }, isInside: true })
interface SideQuestion extends Pick<SideOfRow, 'side' | 'from' | 'to' | 'isRefund'> {
  readonly channels?: NonNullable<ReconciliationFilter['channels']>
  readonly agentIds?: number[]
}

function Rows({ question, title }: { readonly question: Question; readonly title: string }): ReactNode {
  const list = useRows(question)
  return <ListCard list={list} label={title} columns={columns} empty={t('没有计入的记录')} />
}

const columns: readonly ColumnSpec<ReconciliationSource>[] = [
  { key: 'at', card: 'head' },
  { key: 'cents', card: 'head' },
  'side',
  'kind',
  'isRefund',
  'channel',
  'number',
  'company',
]
