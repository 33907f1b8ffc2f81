import { useState, type ReactNode } from 'react'
import { paymentChannelLabels, type PaymentChannelName } from '@saddle/contract/finance/payments.ts'
import {
  reconciliationEndpoints,
  type ReconciliationFilter,
  type ReconciliationGroup,
  type ReconciliationGroupNet,
} from '@saddle/contract/reports/reconciliation.ts'
import type { AnswerOf } from '#kit/api/client.ts'
import { Chart } from '#kit/charts/Chart.tsx'
import { t } from '#kit/i18n/index.ts'
import { One } from '#kit/list/Choices.tsx'
import { useEndpoint } from '#kit/query.ts'
import { openDayOf } from '#kit/span.ts'
import { pastKey } from './pastKey.ts'

type Totals = AnswerOf<typeof reconciliationEndpoints.readReconciliation>['data']
const spans = ['before', 'yearBefore'] as const
type Against = (typeof spans)[number]
const againstLabels: Readonly<Record<Against, string>> = { before: '前一时段', yearBefore: '去年同期' }
const sides = ['bill', 'own', 'ledger'] as const
const sideLabels: Readonly<Record<(typeof sides)[number], string>> = {
  bill: '渠道账单净额',
  own: '平台净额',
  ledger: '账本净额',
}

/** What a row or a group is of. */
export const groupName = (by: ReconciliationGroup, { key, name }: { readonly key: string; readonly name: string }) =>
  by === 'channel' ? t(paymentChannelLabels[key as PaymentChannelName]) : name

interface Props {
  readonly filter: ReconciliationFilter
  readonly totals: Totals
}

/** The sides by day or group, all channels together, and beside them the platform's of another span. */
export function SidesChart({ filter, totals }: Props): ReactNode {
  const { by } = filter
  const { groups } = totals
  const [against, setAgainst] = useState<Against>()
  const past = usePast(filter, totals, against)
  if (groups.length === 0) return null
  const pastOf = ({ key }: ReconciliationGroupNet): number | null =>
    past.get(pastKey(key, { by, from: filter.from, pastFrom: totals[against ?? 'before'].from }))?.ownCents ?? null
  const own = sides.map((side) => ({
    unit: '¥',
    digits: 2,
    name: t(sideLabels[side]),
    values: groups.map((group) => group[`${side}Cents`] / 100),
    kind: 'bar' as const,
  }))
  const old = {
    unit: '¥',
    digits: 2,
    name: against === undefined ? '' : `${t(sideLabels.own)} · ${t(againstLabels[against])}`,
    values: groups.map(pastOf).map((cents) => (cents === null ? null : cents / 100)),
    kind: 'line' as const,
    isBefore: true,
  }
  return (
    <section className="page-card">
      <div className="report-choice">
        <One
          label={t('图中的对比')}
          value={against}
          options={spans.map((one) => ({ value: one, label: t(againstLabels[one]) }))}
          onChange={setAgainst}
        />
      </div>
      <Chart
        title={t('三方净额')}
        labels={groups.map((group) => groupName(by, group))}
        openFrom={by === 'day' ? openDayOf(groups.map(({ key }) => key)) : undefined}
        series={against === undefined ? own : [...own, old]}
        height={260}
        hasZoom={groups.length > 60}
      />
    </section>
  )
}

/** The groups of the other span by their keys; they are asked for only while they are drawn. */
function usePast(
  filter: ReconciliationFilter,
  totals: Totals,
  against: Against | undefined,
): ReadonlyMap<string, ReconciliationGroupNet> {
  const { from, to } = totals[against ?? 'before']
  const { data } = useEndpoint(
    reconciliationEndpoints.readReconciliation,
    { filter: { ...filter, from, to }, compare: false },
    { enabled: against !== undefined, keepPrevious: true },
  )
  return new Map((against === undefined ? [] : (data?.data.groups ?? [])).map((group) => [group.key, group]))
}
