import { useState, type ReactNode } from 'react'
import {
  chargeStateLabels,
  chargeWayLabels,
  costCenterEndpoints,
  type Arrival,
  type AssetAccount,
  type AssetWarning,
  type ChargeNote,
  type ChargeNoteFilter,
  type ChargeState,
  type CompanyAssets,
  type SpendNote,
  type SpendNoteFilter,
} from '@saddle/contract/finance/costCenter.ts'
import { businessDayEnd, businessDayOf, businessDayStart } from '@saddle/contract/time.ts'
import { heldText } from '../splitBills/words.ts'
import { Link } from 'react-router'
import { serverNow } from '#kit/clock.ts'
import { Figure } from '#kit/charts/Figure.tsx'
import { LineChart } from '#kit/charts/LineChart.tsx'
import { dateOnly, money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { days, many } from '#kit/list/filters/specs.tsx'
import { ListCard } from '#kit/list/ListCard.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { Button, ButtonLink } from '#kit/plain/Button.tsx'
import { Segments } from '#kit/plain/Segments.tsx'
import { useEndpoint } from '#kit/query.ts'
import { useSession } from '#kit/session/store.ts'
import { openDayOf } from '#kit/span.ts'
import { Mark, type Tone } from '#kit/ui/Mark.tsx'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { ExportList } from '../exports/ExportList.tsx'
import { Companies } from './Companies.tsx'
import { chargeNotes, spendNotes } from './lists.ts'
import '#kit/list/listPage.css'
import './costCenter.css'

const refreshEveryMs = 60_000

/** What companies have and owe: each part of the balance, what was used, notes, and what should be seen to. */
export default function CostCenterPage(): ReactNode {
  const { data, error, refetch } = useEndpoint(
    costCenterEndpoints.businessAssets,
    {},
    { keepPrevious: true, refetchIntervalMs: refreshEveryMs },
  )
  const ownId = useSession()?.agentId
  // The platform pays no service fees to itself.
  const isCharged = data?.data.companies.some(({ agentId }) => agentId === ownId) === true
  return (
    <div className="cost-center">
      <header className="list-head">
        <h1>{t('费用中心')}</h1>
        <ButtonLink to="/financial/TransactionDetails">{t('收支明细')}</ButtonLink>
        <ButtonLink to="/financial/CostCenter/withdraw">{t('提现')}</ButtonLink>
        {isCharged && (
          <ButtonLink look="primary" to="/financial/CostCenter/recharge">
            {t('充值')}
          </ButtonLink>
        )}
      </header>
      {data === undefined ? (
        error === null ? (
          <Loading />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : (
        <>
          <Warnings warnings={data.data.warnings} isMany={data.data.companies.length > 1} ownId={ownId} />
          <Totals companies={data.data.companies} />
          <Arrivals
            arrivals={data.data.arrivals}
            undividedCents={data.data.companies.reduce((sum, one) => sum + one.undividedCents, 0)}
          />
          <Trend days={data.data.trend} />
          {data.data.companies.length > 1 && <Companies companies={data.data.companies} />}
        </>
      )}
      <Notes />
    </div>
  )
}

interface WarningsProps {
  readonly warnings: readonly AssetWarning[]
  readonly isMany: boolean
  readonly ownId: number | undefined
}

function Warnings({ warnings, isMany, ownId }: WarningsProps) {
  if (warnings.length === 0) return null
  return (
    <ul className="cost-warnings" aria-label={t('预警')}>
      {warnings.map((warning) => (
        <li key={`${warning.kind} ${warning.agentId}`} data-kind={warning.kind}>
          {isMany && <b>{warning.company}</b>} {warningText(warning, warning.agentId === ownId)}
        </li>
      ))}
    </ul>
  )
}

/** A company is asked to pay in; the platform is only told. */
function warningText({ kind, cents, days: left }: AssetWarning, isOwn: boolean): string {
  const yuan = money(cents)
  if (kind === 'overdue') {
    return isOwn
      ? t('服务账单已逾期 {{days}} 天，待付 {{yuan}} 元，请充值', { days: left, yuan })
      : t('服务账单已逾期 {{days}} 天，待付 {{yuan}} 元', { days: left, yuan })
  }
  if (kind === 'due_soon') return t('服务账单 {{days}} 天内到期，待付 {{yuan}} 元', { days: left, yuan })
  if (left === 0) {
    return isOwn
      ? t('服务费余额 {{yuan}} 元，不足以支付待付账单与本期未出账用量，请充值', { yuan })
      : t('服务费余额 {{yuan}} 元，不足以支付待付账单与本期未出账用量', { yuan })
  }
  return t('服务费余额 {{yuan}} 元，按近七日用量还可使用 {{days}} 天', { days: left, yuan })
}

type Summed =
  | 'serviceCents'
  | 'openCents'
  | 'heldCents'
  | 'inTransitCents'
  | 'availableCents'
  | 'withdrawingCents'
  | 'unbilledCents'

function Totals({ companies }: { readonly companies: readonly CompanyAssets[] }) {
  const sum = (name: Summed): string => money(companies.reduce((all, company) => all + company[name], 0))
  const open = companies.filter(({ openCents }) => openCents > 0)
  const dueAt = Math.min(...open.map((company) => company.dueAt ?? Number.POSITIVE_INFINITY))
  const detailsOf = (...accounts: readonly AssetAccount[]): string =>
    `/financial/TransactionDetails?filter=${encodeURIComponent(JSON.stringify({ accounts }))}`
  const [only] = companies
  const lasting = companies.length === 1 && only !== undefined ? lastingText(only) : t('预付的平台服务费')
  const inYuan = (title: string): string => t('{{title}}（{{unit}}）', { title, unit: t('元') })
  return (
    <div className="cost-figures">
      <Figure
        label={inYuan(t('服务费余额'))}
        value={sum('serviceCents')}
        note={lasting}
        to={detailsOf('service_balance')}
      />
      <Figure
        label={inYuan(t('待付账单'))}
        value={sum('openCents')}
        {...(open.length > 0 && { tone: 'warn' as const })}
        note={Number.isFinite(dueAt) ? t('最早 {{day}} 到期', { day: dateOnly(dueAt) }) : t('没有待付的账单')}
        to="/financial/billDetails"
      />
      <Figure label={inYuan(t('本期未出账'))} value={sum('unbilledCents')} note={t('月末结束后出账')} />
      <Figure
        label={inYuan(t('争议冻结'))}
        value={sum('heldCents')}
        note={t('异议处理后释放')}
        to={detailsOf('service_held', 'agent_disputed')}
      />
      <Figure
        label={inYuan(t('在途收入'))}
        value={sum('inTransitCents')}
        note={t('渠道账单核对一致后 T+1 可提现')}
        to={detailsOf('agent_in_transit')}
      />
      <Figure
        label={inYuan(t('可提现余额'))}
        value={sum('availableCents')}
        note={t('可提现，也可转入服务费余额')}
        to={detailsOf('agent_available')}
      />
      <Figure
        label={inYuan(t('提现中'))}
        value={sum('withdrawingCents')}
        note={t('银行处理中')}
        to={detailsOf('agent_withdrawing')}
      />
    </div>
  )
}

function lastingText({ daysLeft }: CompanyAssets): string {
  if (daysLeft === null) return t('预付的平台服务费')
  return daysLeft === 0 ? t('不足以支付待付与未出账用量') : t('按近七日用量还可使用 {{days}} 天', { days: daysLeft })
}

const arrivalsShown = 6

/** What of income in transit becomes available when, and what holds it back. */
function Arrivals({
  arrivals,
  undividedCents,
}: {
  readonly arrivals: readonly Arrival[]
  readonly undividedCents: number
}) {
  const today = businessDayOf(serverNow())
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? arrivals : arrivals.slice(0, arrivalsShown)
  return (
    <section className="cost-companies cost-arrivals" aria-label={t('在途收入何时到账')}>
      <h2>{t('在途收入何时到账')}</h2>
      <p className="cost-quiet">
        {t('未日结的收入 {{yuan}} 元：每天结束一小时后日结分账，渠道账单核对一致后可提现。', {
          yuan: money(undividedCents),
        })}{' '}
        {arrivals.length > 0 &&
          t('在途 {{yuan}} 元，其中暂缓 {{held}} 元。', {
            yuan: money(arrivals.reduce((sum, { cents }) => sum + cents, 0)),
            held: money(arrivals.reduce((sum, { heldCents }) => sum + heldCents, 0)),
          })}
      </p>
      {arrivals.length === 0 ? (
        <p className="cost-quiet">{t('没有在途的日结收入：已日结的都已结算')}</p>
      ) : (
        <div>
          <table>
            <thead>
              <tr>
                <th>{t('收入日期')}</th>
                <th>{t('预计到账')}</th>
                <th data-numeric="true">{t('在途（元）')}</th>
                <th data-numeric="true">{t('其中暂缓（元）')}</th>
                <th>{t('说明')}</th>
              </tr>
            </thead>
            <tbody>
              {shown.map((arrival) => (
                <tr key={arrival.day}>
                  <td>
                    <Link to={dayPath(arrival.day)}>{arrival.day}</Link>
                  </td>
                  <td>
                    {arrival.dueDay > today ? arrival.dueDay : <Mark tone="warn">{whenText(arrival, today)}</Mark>}
                  </td>
                  <td data-numeric="true">{money(arrival.cents)}</td>
                  <td data-numeric="true">{arrival.heldCents === 0 ? '--' : money(arrival.heldCents)}</td>
                  <td data-wide="true">{arrivalText(arrival)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {arrivals.length > arrivalsShown && (
            <Button look="quiet" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
              {isWhole ? t('收起') : t('查看全部 {{count}} 天', { count: arrivals.length })}
            </Button>
          )}
        </div>
      )}
    </section>
  )
}

const whenText = ({ dueDay, heldCents, cents }: Arrival, today: string): string =>
  heldCents >= cents ? t('处理后到账') : dueDay === today ? t('今天，账单核对后') : t('账单核对后')

/** Why income of a day has not arrived; of several companies, which one. */
function arrivalText({ heldFor, companies }: Arrival): string {
  const texts = heldFor.map(({ company, reasons }) => {
    const text = reasons.map(heldText).join(t('；'))
    return companies > 1 ? t('{{company}}：{{text}}', { company, text }) : text
  })
  return texts.length === 0 ? t('等待渠道账单核对') : texts.join(t('；'))
}

const dayPath = (day: string): string =>
  `/financial/SplitBill?filter=${encodeURIComponent(JSON.stringify({ from: businessDayStart(day), to: businessDayEnd(day) }))}`

interface Day {
  readonly day: string
  readonly costCents: number
  readonly incomeCents: number
}

function Trend({ days: list }: { readonly days: readonly Day[] }) {
  const labels = list.map(({ day }) => day.slice(5))
  const openFrom = openDayOf(list.map(({ day }) => day))
  return (
    <div className="cost-trends">
      <LineChart
        title={t('近 30 天用量费用')}
        unit={t('元')}
        digits={2}
        labels={labels}
        openFrom={openFrom}
        values={list.map(({ costCents }) => costCents / 100)}
      />
      <LineChart
        title={t('近 30 天分账入账')}
        unit={t('元')}
        digits={2}
        labels={labels}
        openFrom={openFrom}
        values={list.map(({ incomeCents }) => incomeCents / 100)}
      />
    </div>
  )
}

/** Money that came in for services, and what it was spent on. */
function Notes() {
  const [view, setView] = useState<'charge' | 'spend' | 'files'>('charge')
  return (
    <section>
      <Segments
        label={t('收支明细')}
        options={[
          { value: 'charge', label: t('充值单') },
          { value: 'spend', label: t('扣款单') },
          { value: 'files', label: t('导出记录') },
        ]}
        value={view}
        onChange={setView}
      />
      {view === 'charge' ? <Charges /> : view === 'spend' ? <Spends /> : <ExportList />}
    </section>
  )
}

const chargeTones: Readonly<Record<ChargeState, Tone>> = { waiting: 'warn', paid: 'good', lapsed: 'off' }

function Charges() {
  const list = useList(chargeNotes, { isInside: true })
  return (
    <ListCard<ChargeNote, ChargeNoteFilter>
      list={list}
      label={t('充值单')}
      filters={[many('states', t('状态'), chargeStateLabels), days(t('提交日期'))]}
      columns={chargeColumns}
      empty={t('还没有充值')}
    />
  )
}

const chargeColumns = (): readonly ColumnSpec<ChargeNote>[] => [
  { key: 'number', card: 'none', isOptional: true },
  { key: 'way', card: 'head', render: ({ way }) => t(chargeWayLabels[way]) },
  {
    key: 'state',
    card: 'head',
    render: ({ state }) => <Mark tone={chargeTones[state]}>{t(chargeStateLabels[state])}</Mark>,
  },
  'cents',
  'leftCents',
  'company',
  'createdAt',
  { key: 'paidAt', card: 'none' },
  'operatorName',
]

function Spends() {
  const list = useList(spendNotes, { isInside: true })
  return (
    <ListCard<SpendNote, SpendNoteFilter>
      list={list}
      label={t('扣款单')}
      filters={[days(t('扣款日期'))]}
      columns={spendColumns}
      empty={t('还没有扣款')}
    />
  )
}

const spendColumns = (): readonly ColumnSpec<SpendNote>[] => [
  { key: 'number', card: 'head' },
  'month',
  'cents',
  'company',
  { key: 'at', sort: 'at' },
]
