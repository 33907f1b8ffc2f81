import type { ReactNode } from 'react'
import { Link, useNavigate, useSearchParams } from 'react-router'
import {
  splitBillEndpoints,
  splitGroupingLabels,
  splitGroupings,
  type SplitGroup,
  type SplitGrouping,
} from '@saddle/contract/finance/splitBills.ts'
import { addDays, businessDayEnd, businessDayOf, businessDayStart } from '@saddle/contract/time.ts'
import { serverNow } from '#kit/clock.ts'
import { money, number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Segments } from '#kit/plain/Segments.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Empty, ErrorState, Loading } from '#kit/ui/states.tsx'
import { billsPath, ofDay, splitPath } from './words.ts'
import '#kit/list/listPage.css'

const spans = { '7': '近 7 天', '30': '近 30 天', '90': '近 90 天' } as const
type Span = keyof typeof spans
const isSpan = (text: string): text is Span => Object.hasOwn(spans, text)
const spanKeys = Object.keys(spans).filter(isSpan)

/** Bills summed by company, area, day or party; each figure opens its bills. */
export function GroupsPage({ tabs }: { tabs: ReactNode }): ReactNode {
  const [search] = useSearchParams()
  const navigate = useNavigate()
  const by = splitGroupings.find((one) => one === search.get('by')) ?? 'area'
  const asked = search.get('days') ?? ''
  const span: Span = isSpan(asked) ? asked : '30'
  const today = businessDayOf(serverNow())
  const filter = { from: businessDayStart(addDays(today, -Number(span))), to: businessDayEnd(addDays(today, -1)) }
  const { data, error, refetch } = useEndpoint(
    splitBillEndpoints.listSplitGroups,
    { by, filter },
    { keepPrevious: true },
  )
  const path = (next: { by?: SplitGrouping; days?: string }): string =>
    `${splitPath}?view=groups&by=${next.by ?? by}&days=${next.days ?? span}`
  const groups = data?.data.list
  return (
    <div className="page split-groups-page">
      <header className="list-head">
        <h1>{t('分账汇总')}</h1>
        {tabs}
      </header>
      <div className="split-choices">
        <Segments<SplitGrouping>
          label={t('汇总方式')}
          options={splitGroupings.map((one) => ({ value: one, label: t(splitGroupingLabels[one]) }))}
          value={by}
          onChange={(next) => void navigate(path({ by: next }))}
        />
        <Segments<Span>
          label={t('日期')}
          options={spanKeys.map((key) => ({ value: key, label: t(spans[key]) }))}
          value={span}
          onChange={(days) => void navigate(path({ days }))}
        />
      </div>
      {groups === undefined ? (
        error === null ? (
          <Loading />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : groups.length === 0 ? (
        <Empty text={t('这段时间没有已日结的账单')} />
      ) : (
        <Groups by={by} groups={groups} filter={filter} isCut={data?.data.isCut === true} />
      )}
    </div>
  )
}

const groupTitles: Readonly<Record<SplitGrouping, string>> = {
  company: '加盟商',
  area: '服务区',
  day: '日期',
  party: '分账方',
}

interface GroupsProps {
  readonly by: SplitGrouping
  readonly groups: readonly SplitGroup[]
  readonly filter: object
  readonly isCut: boolean
}

const sum = (groups: readonly SplitGroup[], of: (group: SplitGroup) => number): number =>
  groups.reduce((all, group) => all + of(group), 0)

function Groups({ by, groups, filter, isCut }: GroupsProps) {
  // What a bill gives one party says nothing of its other parts.
  const columns: readonly (readonly [string, (group: SplitGroup) => number])[] =
    by === 'party'
      ? [
          [t('相关收入（元）'), ({ paidCents }) => paidCents],
          [t('分账所得（元）'), ({ partiesCents }) => partiesCents],
        ]
      : [
          [t('收入（元）'), ({ paidCents }) => paidCents],
          [t('渠道手续费（元）'), ({ feeCents }) => feeCents],
          [
            t('他方承担优惠（元）'),
            ({ platformBorneCents, partnerBorneCents }) => platformBorneCents + partnerBorneCents,
          ],
          [t('分账方所得（元）'), ({ partiesCents }) => partiesCents],
          [t('加盟商所得（元）'), ({ ownerCents }) => ownerCents],
          [t('其中已结算（元）'), ({ settledCents }) => settledCents],
        ]
  return (
    <div className="split-frame">
      <table className="split-table" aria-label={t(splitGroupingLabels[by])}>
        <thead>
          <tr>
            <th scope="col">{t(groupTitles[by])}</th>
            <th scope="col">{t('账单数')}</th>
            <th scope="col">{t('笔数')}</th>
            {columns.map(([title]) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {groups.map((group) => (
            <tr key={[group.agentId, group.areaId, group.day, group.partyId].join()}>
              <th scope="row">
                <Link to={billsPath({ ...filter, ...conditionsOf(group) })}>{nameOf(group, by)}</Link>
              </th>
              <td>{number(group.bills)}</td>
              <td>{number(group.lines)}</td>
              {columns.map(([title, of]) => (
                <td key={title}>{money(of(group))}</td>
              ))}
            </tr>
          ))}
        </tbody>
        {!isCut && by !== 'party' && (
          <tfoot>
            <tr>
              <th scope="row">{t('合计')}</th>
              <td>{number(sum(groups, ({ bills }) => bills))}</td>
              <td>{number(sum(groups, ({ lines }) => lines))}</td>
              {columns.map(([title, of]) => (
                <td key={title}>{money(sum(groups, of))}</td>
              ))}
            </tr>
          </tfoot>
        )}
      </table>
      {isCut && <p className="split-quiet">{t('只列出前 {{count}} 行', { count: groups.length })}</p>}
    </div>
  )
}

const nameOf = ({ name, areaId }: SplitGroup, by: SplitGrouping): string =>
  by === 'area' && areaId === null ? t('{{company}} · 不属于服务区的收入', { company: name }) : name

/** The conditions that the bills of a group meet beside the span. */
const conditionsOf = ({ agentId, areaId, day, partyId }: SplitGroup): object => ({
  ...(agentId !== null && areaId === null && { agentIds: [agentId] }),
  ...(areaId !== null && { areaIds: [areaId] }),
  ...(partyId !== null && { partyId }),
  ...(day !== null && ofDay(day)),
})
