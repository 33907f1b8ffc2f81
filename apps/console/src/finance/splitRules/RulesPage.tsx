import { lazy, Suspense, useState, type ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import {
  splitRuleEndpoints,
  splitTermsFields,
  splitTermsList,
  splitTermsStateLabels,
  statementPeriodLabels,
  type SplitPlace,
  type SplitTermsFilter,
  type SplitTermsRow,
} from '@saddle/contract/finance/splitRules.ts'
import { splitFeeBearerLabels, wholeBasisPoints } from '@saddle/contract/finance/splitTerms.ts'
import { loadChunk } from '#kit/chunk.tsx'
import { dateTime, money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DetailPanel } from '#kit/list/DetailPanel.tsx'
import { listOf } from '#kit/list/declare.ts'
import { areas, keyword, tabbed } from '#kit/list/filters/specs.tsx'
import { ListPage } from '#kit/list/ListPage.tsx'
import { StateTabs } from '#kit/list/StateTabs.tsx'
import { Moment, type ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { usePhone } from '#kit/list/usePhone.ts'
import { Button } from '#kit/plain/Button.tsx'
import { ViewSegments } from '#kit/plain/ViewSegments.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Facts } from '#kit/ui/Facts.tsx'
import { Mark } from '#kit/ui/Mark.tsx'
import { MoreMenu } from '#kit/ui/MoreMenu.tsx'
import { ChangesPage } from '../termChanges/ChangesPage.tsx'
import { percentOf, placeKey, placeText, allRulesPath, shareText, stateTones } from './words.ts'
import '../splitBills/splitTable.css'
import '#kit/form/form.css'
import { SelectOne } from '#kit/ui/SelectOne.tsx'
import './splitRules.css'

const RuleForm = lazy(() => loadChunk(() => import('./RuleForm.tsx')))
const ReserveDialog = lazy(() => loadChunk(() => import('./ReserveDialog.tsx')))
const PeriodDialog = lazy(() => loadChunk(() => import('./PeriodDialog.tsx')))

const { shares: _, ...shownFields } = splitTermsFields
const rules = listOf({
  list: splitTermsList,
  call: splitRuleEndpoints.listSplitTerms,
  file: splitRuleEndpoints.exportSplitTerms,
  fields: shownFields,
})

type Open = { readonly kind: 'rule' | 'reserve' | 'period'; readonly place: SplitPlace } | null

/** The rules of companies, and every change of what they get and may. */
export default function RulesPage(): ReactNode {
  const [search] = useSearchParams()
  const isChanges = search.get('view') === 'changes'
  const tabs = (
    <ViewSegments<'rules' | 'changes'>
      path={allRulesPath}
      label={t('分账规则')}
      options={[
        { value: 'rules', label: t('规则') },
        { value: 'changes', label: t('变更记录') },
      ]}
      value={isChanges ? 'changes' : 'rules'}
    />
  )
  return isChanges ? <ChangesPage tabs={tabs} /> : <Rules tabs={tabs} />
}

/** Who gets which part of the income, in every version, and where a new version is made. */
function Rules({ tabs }: { readonly tabs: ReactNode }): ReactNode {
  const list = useList(rules)
  const places = useEndpoint(splitRuleEndpoints.listSplitPlaces, {})
  const [open, setOpen] = useState<Open>(null)
  const all = places.data?.data.list ?? []
  const firstDay = places.data?.data.firstDay ?? ''
  const placeOf = (row: SplitTermsRow) => all.find((place) => placeKey(place) === placeKey(row))
  const close = () => setOpen(null)
  return (
    <>
      <ListPage<SplitTermsRow, SplitTermsFilter>
        list={list}
        title={t('分账规则')}
        actions={tabs}
        above={
          <>
            <Places places={all} isLoading={places.isPending} onOpen={setOpen} />
            <StateTabs
              list={list}
              call={splitRuleEndpoints.listSplitTerms}
              name="states"
              title={t('状态')}
              labels={splitTermsStateLabels}
            />
          </>
        }
        filters={[tabbed('states'), keyword(t('服务区、加盟商或分账方'), 'name'), areas('areaIds')]}
        columns={columns}
        rowName={placeText}
        empty={t('还没有分账规则：收入扣除渠道手续费后全部归加盟商')}
        renderPanel={(row) => (
          <RulePanel
            key={row.id}
            row={row}
            place={placeOf(row)}
            onChange={(place) => setOpen({ kind: 'rule', place })}
          />
        )}
      />
      <Suspense fallback={null}>
        {open?.kind === 'rule' && <RuleForm place={open.place} firstDay={firstDay} onClose={close} />}
        {open?.kind === 'reserve' && <ReserveDialog place={open.place} onClose={close} />}
        {open?.kind === 'period' && <PeriodDialog place={open.place} onClose={close} />}
      </Suspense>
    </>
  )
}

interface PlacesProps {
  readonly places: readonly SplitPlace[]
  readonly isLoading: boolean
  readonly onOpen: (open: Open) => void
}

/** Where terms can be set: a company or one of its areas; for who may not, what holds. */
function Places({ places, isLoading, onOpen }: PlacesProps) {
  const isPhone = usePhone()
  const [chosen, choose] = useState('')
  const place =
    places.find((one) => placeKey(one) === chosen) ?? places.find(({ terms }) => terms !== null) ?? places[0]
  if (place === undefined) return isLoading ? null : <p>{t('没有可设置分账规则的服务区')}</p>
  const isOwn = !place.canChange
  const why = isOwn ? t('分账规则、准备金与对账单周期由上级公司设置') : undefined
  const company = places.find(({ agentId, areaId }) => agentId === place.agentId && areaId === null)
  const acts = [
    { key: 'rule', label: t('修改规则'), refusal: why ?? null, run: () => onOpen({ kind: 'rule', place }) },
    ...(company === undefined
      ? []
      : [
          {
            key: 'reserve',
            label: t('设置准备金'),
            refusal: why ?? null,
            run: () => onOpen({ kind: 'reserve', place: company }),
          },
          {
            key: 'period',
            label: t('设置对账单周期'),
            refusal: why ?? null,
            run: () => onOpen({ kind: 'period', place: company }),
          },
        ]),
  ] as const
  const reserve = t('准备金 {{yuan}} 元', { yuan: money(place.reserveCents) })
  const period = t('对账单{{period}}', { period: t(statementPeriodLabels[place.statementPeriod]) })
  return (
    <section className="split-places" aria-label={t('现行规则')}>
      <div className="split-place-chosen">
        <label>
          <span>{t('现行规则')}</span>
          <SelectOne
            label={t('现行规则')}
            value={placeKey(place)}
            options={places.map((one) => ({ value: placeKey(one), label: placeText(one) }))}
            onChange={choose}
            isSearched
          />
        </label>
        {isPhone && <MoreMenu label={placeText(place)} actions={acts} />}
      </div>
      <p className="split-place-terms">
        {place.terms === null ? (
          t('未设置：扣除渠道手续费后全部归加盟商')
        ) : (
          <>
            {place.terms.parties.map(({ name, share }) => (
              <Mark key={name} tone="info">{`${name} ${shareText(share)}`}</Mark>
            ))}
            <Mark tone="good">{t('其余归加盟商')}</Mark>
            {place.inherits && <small>{t('跟随加盟商')}</small>}
            {place.comingDay !== null && <small>{t('{{day}} 起有新规则', { day: place.comingDay })}</small>}
          </>
        )}
        {isPhone && <small>{`${reserve} · ${period}`}</small>}
      </p>
      {!isPhone && (
        <p className="split-place-acts">
          <span>{reserve}</span>
          {company !== undefined && (
            <Button disabled={isOwn} title={why} onClick={() => onOpen({ kind: 'reserve', place: company })}>
              {t('设置准备金')}
            </Button>
          )}
          <span>{period}</span>
          {company !== undefined && (
            <Button disabled={isOwn} title={why} onClick={() => onOpen({ kind: 'period', place: company })}>
              {t('设置对账单周期')}
            </Button>
          )}
          <Button look="primary" disabled={isOwn} title={why} onClick={() => onOpen({ kind: 'rule', place })}>
            {t('修改规则')}
          </Button>
        </p>
      )}
    </section>
  )
}

const columns = (): readonly ColumnSpec<SplitTermsRow>[] => [
  { key: 'company', card: 'head', title: t('加盟商与服务区'), render: placeText },
  {
    key: 'state',
    card: 'head',
    render: ({ state }) => <Mark tone={stateTones[state]}>{t(splitTermsStateLabels[state])}</Mark>,
  },
  {
    key: 'parties',
    title: t('分账方'),
    card: 'wide',
    render: ({ terms }) =>
      terms.parties.length === 0
        ? '--'
        : terms.parties.map(({ name, share }) => `${name} ${shareText(share)}`).join(' · '),
  },
  {
    key: 'ownerBasisPoints',
    title: t('加盟商留存'),
    numeric: true,
    render: ({ ownerBasisPoints }) => percentOf(ownerBasisPoints),
  },
  'firstDay',
  {
    key: 'lastDay',
    card: 'none',
    isOptional: true,
    render: ({ lastDay, state }) => lastDay ?? (state === 'replaced' ? '--' : t('长期')),
  },
  { key: 'version', card: 'none', render: ({ version }) => t('第 {{count}} 版', { count: version }) },
  'madeBy',
  { key: 'madeAt', render: ({ madeAt }) => <Moment at={madeAt} /> },
  { key: 'reason', card: 'none', isOptional: true },
  { key: 'feeBearer', isOptional: true },
]

interface PanelProps {
  readonly row: SplitTermsRow
  readonly place: SplitPlace | undefined
  readonly onChange: (place: SplitPlace) => void
}

function RulePanel({ row, place, onChange }: PanelProps) {
  const { agentId, areaId, terms } = row
  const filter = { agentIds: [agentId], ...(areaId !== null && { areaIds: [areaId] }) }
  const history = useEndpoint(splitRuleEndpoints.listSplitTerms, { filter, sort: 'madeAt', pageSize: 50 })
  const versions = (history.data?.data.list ?? []).filter((one) => one.areaId === areaId)
  return (
    <DetailPanel
      label={t('分账规则')}
      title={<strong>{placeText(row)}</strong>}
      foot={
        place === undefined ? undefined : (
          <p className="form-choices">
            <Button
              look="primary"
              disabled={!place.canChange}
              title={place.canChange ? undefined : t('分账规则、准备金与对账单周期由上级公司设置')}
              onClick={() => onChange(place)}
            >
              {t('修改规则')}
            </Button>
          </p>
        )
      }
    >
      <Facts
        facts={[
          [t('状态'), t(splitTermsStateLabels[row.state])],
          [t('版本'), t('第 {{count}} 版', { count: row.version })],
          [t('生效日期'), row.firstDay],
          [t('截止日期'), row.lastDay ?? (row.state === 'replaced' ? '--' : t('长期'))],
          [t('修改人'), row.madeBy],
          [t('修改时间'), dateTime(row.madeAt)],
          [t('原因'), row.reason],
        ]}
      />
      <h3>{t('怎么分')}</h3>
      <ol className="split-order">
        <li>
          {t('渠道手续费 {{percent}}', { percent: percentOf(row.feeBasisPoints) })} ·{' '}
          {t(splitFeeBearerLabels[row.feeBearer])}
        </li>
        {terms.parties
          .toSorted((a, b) => Number(a.share.of === 'rest') - Number(b.share.of === 'rest'))
          .map(({ name, share }) => (
            <li key={name}>
              {name} · {shareText(share)}
            </li>
          ))}
        <li>{t('其余归加盟商，按比例部分为 {{percent}}', { percent: percentOf(row.ownerBasisPoints) })}</li>
      </ol>
      <p className="split-quiet">{t('平台或合作方承担的优惠视同骑行者已付，由承担方补足')}</p>
      <h3>{t('例：一笔 10 元的骑行')}</h3>
      <Facts facts={exampleOf(row)} />
      <h3>{t('修改记录')}</h3>
      <Facts
        facts={versions.map((one) => [
          t('第 {{count}} 版', { count: one.version }),
          [one.firstDay, one.madeBy, one.reason, t(splitTermsStateLabels[one.state])].join(' · '),
        ])}
      />
    </DetailPanel>
  )
}

/** How a ride of ten yuan that a channel was paid for is divided: fixed sums first, then percentages of the rest. */
function exampleOf({ terms, feeBearer, feeBasisPoints }: SplitTermsRow): (readonly [string, string])[] {
  const paidCents = 1_000
  const feeCents = Math.round((paidCents * feeBasisPoints) / wholeBasisPoints)
  let rest = paidCents - (feeBearer === 'shared' ? feeCents : 0)
  const fixed = terms.parties.flatMap(({ name, share }) => {
    if (share.of === 'rest') return []
    const cents = Math.min(share.cents, rest)
    rest -= cents
    return [[name, cents] as const]
  })
  const parts = terms.parties.flatMap(({ name, share }) =>
    share.of === 'ride' ? [] : [[name, Math.round((rest * share.basisPoints) / wholeBasisPoints)] as const],
  )
  const shared = [...fixed, ...parts].reduce((sum, [, cents]) => sum + cents, 0)
  return [
    [t('渠道手续费'), money(feeCents)],
    ...[...fixed, ...parts].map(([name, cents]) => [name, money(cents)] as const),
    [t('加盟商'), money(paidCents - feeCents - shared)],
  ]
}
