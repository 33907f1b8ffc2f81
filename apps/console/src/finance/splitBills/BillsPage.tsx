import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import {
  splitBillEndpoints,
  splitBillFields,
  splitBillList,
  splitBillStateLabels,
  type SplitBill,
  type SplitBillFilter,
} from '@saddle/contract/finance/splitBills.ts'
import { emptyText } from '@saddle/contract/constants.ts'
import { money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Figure } from '#kit/charts/Figure.tsx'
import { listOf } from '#kit/list/declare.ts'
import { areas, days, tabbed } from '#kit/list/filters/specs.tsx'
import { ListPage } from '#kit/list/ListPage.tsx'
import { StateTabs } from '#kit/list/StateTabs.tsx'
import { Moment, type ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { ViewSegments } from '#kit/plain/ViewSegments.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Mark } from '#kit/ui/Mark.tsx'
import { MoneyActList } from '../secondPerson/MoneyActList.tsx'
import { BillPanel } from './BillPanel.tsx'
import { GroupsPage } from './GroupsPage.tsx'
import { LinesPage } from './LinesPage.tsx'
import { StatementsPage } from './StatementsPage.tsx'
import { areaText, billTones, splitPath } from './words.ts'
import '#kit/charts/figures.css'
import '#kit/form/form.css'
import './splitBills.css'
import './splitTable.css'

const { hash: _, ...shownFields } = splitBillFields
const bills = listOf({
  list: splitBillList,
  call: splitBillEndpoints.listSplitBills,
  sums: splitBillEndpoints.sumSplitBills,
  file: splitBillEndpoints.exportSplitBills,
  fields: shownFields,
})

const views = ['bills', 'groups', 'lines', 'statements', 'corrections'] as const
type View = (typeof views)[number]
const viewLabels: Readonly<Record<View, string>> = {
  bills: '每日账单',
  groups: '汇总',
  lines: '分账明细',
  statements: '对账单',
  corrections: '更正复核',
}

/** Income of closed days: bills, their sums, their lines, and sealed statements. */
export default function BillsPage(): ReactNode {
  const [search] = useSearchParams()
  const view = views.find((one) => one === search.get('view')) ?? 'bills'
  const tabs = (
    <ViewSegments<View>
      path={splitPath}
      label={t('分账账单')}
      options={views.map((one) => ({ value: one, label: t(viewLabels[one]) }))}
      value={view}
    />
  )
  if (view === 'groups') return <GroupsPage tabs={tabs} />
  if (view === 'lines') return <LinesPage tabs={tabs} />
  if (view === 'statements') return <StatementsPage tabs={tabs} />
  if (view === 'corrections') return <MoneyActList title={t('更正复核')} views={tabs} about="bills" />
  return <Bills tabs={tabs} />
}

function Bills({ tabs }: { tabs: ReactNode }) {
  const list = useList(bills)
  return (
    <ListPage<SplitBill, SplitBillFilter>
      list={list}
      title={t('分账账单')}
      actions={tabs}
      above={
        <>
          <Totals filter={list.filter} />
          <StateTabs
            list={list}
            call={splitBillEndpoints.listSplitBills}
            name="states"
            title={t('状态')}
            labels={splitBillStateLabels}
          />
        </>
      }
      filters={[tabbed('states'), days(t('日期')), areas('areaIds')]}
      columns={columns}
      rowName={(row) => `${row.day} ${row.company} ${areaText(row)}`}
      empty={t('还没有已日结的账单：每天结束一小时后自动日结')}
      renderPanel={(row) => <BillPanel key={row.id} bill={row} />}
    />
  )
}

/** What the bills of the filter sum to, and what the companies have now. */
function Totals({ filter }: { filter: Partial<SplitBillFilter> }) {
  const { data } = useEndpoint(splitBillEndpoints.splitTotals, { filter }, { quiet: true, keepPrevious: true })
  const totals = data?.data
  const shown = (cents: number | undefined): string => (cents === undefined ? emptyText : money(cents))
  const now = totals?.now
  const borne = totals === undefined ? undefined : totals.platformBorneCents + totals.partnerBorneCents
  return (
    <div className="figures">
      <Figure label={t('收入（元）')} value={shown(totals?.paidCents)} note={t('符合条件的账单')} />
      <Figure label={t('分账方所得（元）')} value={shown(totals?.partiesCents)} />
      <Figure
        label={t('加盟商所得（元）')}
        value={shown(totals?.ownerCents)}

        note={t('手续费 {{fee}} · 他方承担 {{borne}}', { fee: shown(totals?.feeCents), borne: shown(borne) })}
      />
      {now !== null && now !== undefined && (
        <>
          <Figure
            label={t('在途（元）')}
            value={shown(now.inTransitCents)}

            note={t('渠道账单核对一致后可提现')}
          />
          <Figure
            label={t('可提现（元）')}
            value={shown(now.availableCents)}

            note={t('提现中 {{yuan}}', { yuan: money(now.withdrawingCents) })}
          />
          <Figure
            label={t('准备金（元）')}
            value={shown(now.reserveCents)}

            {...(now.receivableCents > 0 && {
              tone: 'bad' as const,
              note: t('待扣回 {{yuan}}', { yuan: money(now.receivableCents) }),
            })}
          />
        </>
      )}
    </div>
  )
}

const columns = (): readonly ColumnSpec<SplitBill>[] => [
  { key: 'day', card: 'head' },
  { key: 'areaName', card: 'head', render: areaText },
  {
    key: 'state',
    card: 'head',
    render: ({ state }) => <Mark tone={billTones[state]}>{t(splitBillStateLabels[state])}</Mark>,
  },
  { key: 'company', card: 'none' },
  { key: 'lines', card: 'none' },
  'paidCents',
  { key: 'feeCents', card: 'none' },
  {
    key: 'borne',
    title: t('他方承担优惠'),
    unit: t('元'),
    numeric: true,
    card: 'none',
    render: ({ platformBorneCents, partnerBorneCents }) => money(platformBorneCents + partnerBorneCents),
  },
  'partiesCents',
  'ownerCents',
  { key: 'settledAt', card: 'none', render: ({ settledAt }) => <Moment at={settledAt} /> },
  { key: 'closedAt', isOptional: true },
  { key: 'id', isOptional: true },
]
