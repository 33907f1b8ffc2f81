import { lazy, Suspense, useMemo, type ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import { paymentChannelLabels } from '@saddle/contract/finance/payments.ts'
import {
  reconciliationDaysMax,
  reconciliationEndpoints,
  reconciliationFields,
  reconciliationGroupLabels,
  reconciliationGroups,
  reconciliationList,
  reconciliationNarrowSchema,
  reconciliationStateLabels,
  type ReconciliationFilter,
  type ReconciliationGroup,
  type ReconciliationRow,
  type ReconciliationState,
} from '@saddle/contract/reports/reconciliation.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import type { AnswerOf } from '#kit/api/client.ts'
import { FigureBones } from '#kit/charts/Figure.tsx'
import '#kit/charts/figures.css'
import { loadChunk } from '#kit/chunk.tsx'
import { endOfDay, startOfDay } from '#kit/day.ts'
import { money, moneyWithSign, number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { ListFilters } from '#kit/list/filters/FilterBar.tsx'
import { many } from '#kit/list/filters/specs.tsx'
import { ListCard } from '#kit/list/ListCard.tsx'
import { SpanPicker } from '#kit/list/SpanPicker.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { Segments } from '#kit/plain/Segments.tsx'
import { useEndpoint } from '#kit/query.ts'
import { spanOf } from '#kit/span.ts'
import { Mark, type Tone } from '#kit/ui/Mark.tsx'
import { ErrorState } from '#kit/ui/states.tsx'
import { BehindNote, freshText } from '../figures/BehindNote.tsx'
import { Change } from '../figures/Change.tsx'
import '../figures/reports.css'
import { ScheduleButton } from '../schedules/ScheduleButton.tsx'
import { readSide, sideParams, type SideOfRow } from './side.ts'
import { groupName, SidesChart } from './SidesChart.tsx'

const SideSheet = lazy(async () => {
  const { SideSheet: Loaded } = await loadChunk(() => import('./SideSheet.tsx'))
  return { default: Loaded }
})

const usualDays = 30
const presets = [7, 30, 90] as const
const refreshEveryMs = minuteMs

const reconciliation = listOf({
  list: { ...reconciliationList, filter: reconciliationNarrowSchema },
  call: reconciliationEndpoints.listReconciliation,
  file: reconciliationEndpoints.exportReconciliation,
  fields: reconciliationFields,
  name: 'reconciliation',
})

type Totals = AnswerOf<typeof reconciliationEndpoints.readReconciliation>['data']

/** Bills of payment channels, payments and refunds, and the ledger beside each other; each sum opens its rows. */
export default function ReconciliationPage(): ReactNode {
  const [params, setParams] = useSearchParams()
  const by = reconciliationGroups.find((group) => group === params.get('by')) ?? 'day'
  const span = spanOf(params, { max: reconciliationDaysMax, usual: usualDays })
  const change = (part: Readonly<Record<string, string>>): void =>
    setParams((old) => new URLSearchParams({ ...Object.fromEntries(old), ...part }))
  const linkOf = (side: SideOfRow): string => `?${sideParams(params, side)}`
  const view = {
    search: sideParams(params, null).toString(),
    ask: (search: string) => setParams(new URLSearchParams(search)),
  }
  const list = useList(reconciliation, { fixed: { by, ...span }, refreshEveryMs, view })
  const filter = { by, ...span, ...list.conditions } as ReconciliationFilter
  const compared = useEndpoint(
    reconciliationEndpoints.readReconciliation,
    { filter },
    { keepPrevious: true, refetchIntervalMs: refreshEveryMs },
  )
  // Three spans take longer than one: its sums stand there as soon as its rows.
  const alone = useEndpoint(
    reconciliationEndpoints.readReconciliation,
    { filter, compare: false },
    { enabled: compared.data === undefined, quiet: true },
  )
  const { error } = compared
  const totals = (compared.data ?? alone.data)?.data
  const opened = readSide(params)
  const columns = useMemo(() => columnsOf(by, (side) => `?${sideParams(params, side)}`), [by, params])
  return (
    <div className="page">
      <header className="page-head">
        <h1>{t('财务对账')}</h1>
        <ScheduleButton report="reconciliation" />
        <SpanPicker span={span} presets={presets} onSpan={({ from, to }) => change({ from, to })} />
      </header>
      <Segments
        label={t('分组')}
        options={reconciliationGroups.map((group) => ({ value: group, label: t(reconciliationGroupLabels[group]) }))}
        value={by}
        onChange={(group) => change({ by: group })}
      />
      <ListFilters
        list={list}
        filters={[
          many('channels', t('支付渠道'), paymentChannelLabels),
          many('states', t('账单'), reconciliationStateLabels),
        ]}
      />
      {totals !== undefined && (
        <>
          <BehindNote freshAt={totals.freshAt} />
          <Figures totals={totals} filter={filter} linkOf={linkOf} />
          <SidesChart filter={filter} totals={totals} />
        </>
      )}
      {totals === undefined && error === null && (
        <>
          <FigureBones />
          <div className="page-card report-chart-bone" />
        </>
      )}
      {totals === undefined && error !== null && list.error === null && (
        <ErrorState error={error} onRetry={() => void compared.refetch()} />
      )}
      {/* The figures stand above the rows: a phone shows no row that they would push away. */}
      {(totals !== undefined || error !== null) && (
        <ListCard
          list={list}
          label={t('财务对账')}
          columns={columns}
          rowName={({ name, channel }) => `${name} ${t(paymentChannelLabels[channel])}`}
          empty={t('这段时间没有渠道交易')}
        />
      )}
      <Explained freshAt={totals?.freshAt ?? null} />
      {opened !== null && (
        <Suspense fallback={null}>
          <SideSheet filter={filter} opened={opened} onClose={() => setParams(sideParams(params, null))} />
        </Suspense>
      )}
    </div>
  )
}

/** The list of differences, or of days, of the channel bills with the same conditions. */
function billsLink(
  filter: Pick<ReconciliationFilter, 'from' | 'to' | 'channels'>,
  { isDifferences = false }: { readonly isDifferences?: boolean } = {},
): string {
  const { from, to, channels } = filter
  const own = { from: startOfDay(from), to: endOfDay(to), ...(channels !== undefined && { channels }) }
  const search = new URLSearchParams({
    ...(isDifferences && { view: 'differences' }),
    filter: JSON.stringify(own),
  })
  return `/financial/ChannelBills?${search}`
}

type Side = 'bill' | 'own' | 'ledger'
type Sums = Totals['compared']
type Then = Readonly<Record<'now' | 'before' | 'yearBefore', number>>
type Was = Readonly<Record<'before' | 'yearBefore', number | null>>

interface FiguresProps {
  readonly totals: Totals
  readonly filter: ReconciliationFilter
  readonly linkOf: (side: SideOfRow) => string
}

/** The three sides of the whole span, and by how much they differ. */
function Figures({ totals, filter, linkOf }: FiguresProps): ReactNode {
  const { from, to } = filter
  const side = (name: SideOfRow['side']): string => linkOf({ side: name, from, to })
  const net = (name: Side, of: Sums = totals): number => of[`${name}PaidCents`] - of[`${name}RefundedCents`]
  const { compared, before, yearBefore } = totals
  const isCompared = totals.comparedTo !== null
  const then = (name: Side): Then | undefined =>
    isCompared ? { now: net(name, compared), before: net(name, before), yearBefore: net(name, yearBefore) } : undefined
  const was = (name: 'billDifferenceCents' | 'ledgerDifferenceCents'): Was => ({
    before: isCompared ? before[name] : null,
    yearBefore: isCompared ? yearBefore[name] : null,
  })
  const { billDifferenceCents, ledgerDifferenceCents, openDifferences, missingBills } = totals
  return (
    <div className="figures report-figures">
      <Figure
        title={t('渠道账单净额')}
        cents={net('bill')}
        to={side('bill')}
        note={t('账单支付 − 账单退款，只含成功的行')}
        then={then('bill')}
      />
      <Figure
        title={t('平台净额')}
        cents={net('own')}
        to={side('own')}
        note={t('平台支付 − 平台退款，按支付或退款成功的时间')}
        then={then('own')}
      />
      <Figure
        title={t('账本净额')}
        cents={net('ledger')}
        to={side('ledger')}
        note={t('渠道清算科目因支付与退款的净变化')}
        then={then('ledger')}
      />
      <Figure
        title={t('账单 − 平台')}
        cents={billDifferenceCents}
        to={billsLink(filter, { isDifferences: true })}
        note={t('已到账单的日子里，账单净额减平台净额')}
        was={was('billDifferenceCents')}
      />
      <Figure
        title={t('平台 − 账本')}
        cents={ledgerDifferenceCents}
        to={side('unmatched')}
        note={t('平台净额减账本净额，应为 0')}
        was={was('ledgerDifferenceCents')}
      />
      <Link className="figure" to={billsLink(filter, { isDifferences: true })}>
        <span>{t('未处理差异')}</span>
        <b>{number(openDifferences)}</b>
        <small>{missingBills === 0 ? t('账单都已到') : t('{{count}} 份账单未到', { count: missingBills })}</small>
        <small className="report-formula">{t('等待处理的渠道差异笔数；其金额暂缓结算')}</small>
      </Link>
    </div>
  )
}

interface FigureProps {
  readonly title: string
  readonly cents: number
  readonly to: string
  readonly note: string
  readonly then?: Then | undefined
  /** Of a difference, which has no change in per cent. */
  readonly was?: Was
}

function Figure({ title, cents, to, note, then, was }: FigureProps): ReactNode {
  return (
    <Link className="figure" to={to}>
      <span>{title}</span>
      <b>{moneyWithSign(cents)}</b>
      <small>
        {was !== undefined && <Mark tone={cents === 0 ? 'good' : 'warn'}>{cents === 0 ? t('一致') : t('有差额')}</Mark>}
        {was?.before !== undefined && was.before !== null && (
          <span className="report-change">{t('前一时段 {{amount}}', { amount: `¥${money(was.before)}` })}</span>
        )}
        {was?.yearBefore !== undefined && was.yearBefore !== null && (
          <span className="report-change">{t('去年同期 {{amount}}', { amount: `¥${money(was.yearBefore)}` })}</span>
        )}
        {then !== undefined && (
          <>
            <Change title={t('较前一时段')} now={then.now} then={then.before} />
            <Change title={t('较去年同期')} now={then.now} then={then.yearBefore} />
          </>
        )}
      </small>
      <small className="report-formula">{note}</small>
    </Link>
  )
}

const tones: Readonly<Record<ReconciliationState, Tone>> = {
  none: 'off',
  waiting: 'info',
  matched: 'good',
  parked: 'warn',
}

function columnsOf(
  by: ReconciliationGroup,
  linkOf: (side: SideOfRow) => string,
): readonly ColumnSpec<ReconciliationRow>[] {
  const companyOf = ({ key }: ReconciliationRow) => (by === 'company' ? { agentId: Number(key) } : {})
  const side = (name: Side, isRefund: boolean): ColumnSpec<ReconciliationRow> => {
    const key = `${name}${isRefund ? 'Refunded' : 'Paid'}Cents` as const
    return {
      key,
      numeric: true,
      render: (row) => {
        const own = { side: name, isRefund, from: row.from, to: row.to, channel: row.channel }
        return row[key] === 0 ? money(0) : <Link to={linkOf({ ...own, ...companyOf(row) })}>{money(row[key])}</Link>
      },
    }
  }
  const difference = (key: 'billDifferenceCents' | 'ledgerDifferenceCents'): ColumnSpec<ReconciliationRow> => ({
    key,
    numeric: true,
    sort: key.replace('Cents', ''),
    render: (row) =>
      row[key] === 0 ? (
        money(0)
      ) : (
        <Link
          to={
            key === 'billDifferenceCents'
              ? billsLink({ ...row, channels: [row.channel] }, { isDifferences: true })
              : linkOf({ side: 'unmatched', from: row.from, to: row.to, channel: row.channel, ...companyOf(row) })
          }
        >
          <Mark tone="warn">{money(row[key])}</Mark>
        </Link>
      ),
  })
  return [
    {
      key: 'name',
      title: t(reconciliationGroupLabels[by]),
      sort: 'key',
      card: 'head',
      render: (row) => groupName(by, row),
    },
    ...(by === 'channel'
      ? []
      : [
          {
            key: 'channel',
            card: 'head' as const,
            render: ({ channel }: ReconciliationRow) => t(paymentChannelLabels[channel]),
          },
        ]),
    {
      key: 'state',
      card: 'head',
      render: (row) => (
        <Link to={billsLink({ ...row, channels: [row.channel] })}>
          <Mark tone={tones[row.state]}>{t(reconciliationStateLabels[row.state])}</Mark>
        </Link>
      ),
    },
    side('bill', false),
    side('own', false),
    side('ledger', false),
    side('bill', true),
    side('own', true),
    side('ledger', true),
    difference('billDifferenceCents'),
    difference('ledgerDifferenceCents'),
    {
      key: 'openDifferences',
      numeric: true,
      render: (row) =>
        row.openDifferences === 0 ? (
          '0'
        ) : (
          <Link to={billsLink({ ...row, channels: [row.channel] }, { isDifferences: true })}>
            {number(row.openDifferences)}
          </Link>
        ),
    },
    'heldCents',
    'feeCents',
    ...(['rideCents', 'rechargeCents', 'depositCents', 'cardCents', 'serviceCents', 'missingBills'] as const).map(
      (key) => ({ key, isOptional: true }),
    ),
  ]
}

/** What each side counts, and how old it may be. */
function Explained({ freshAt }: { readonly freshAt: number | null }): ReactNode {
  return (
    <details className="page-card report-formulas">
      <summary>{t('对账口径')}</summary>
      <p>
        {t(
          '日期按账单日（北京时间）。渠道账单：已核对账单中成功的行。平台：已支付的支付单、已完成的退款，以及加盟商的服务费充值。账本：渠道清算科目上支付与退款的分录，不含手续费与差错处理。账单未到的日子不计入“账单 − 平台”。比较只用已经过完的日子。',
        )}
      </p>
      {freshAt !== null && <p>{freshText(freshAt)}</p>}
    </details>
  )
}
