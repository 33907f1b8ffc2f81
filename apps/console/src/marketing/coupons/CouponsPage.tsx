import type { ReactNode } from 'react'
import { couponBudgetState, couponBudgetStateLabels } from '@saddle/contract/marketing/couponBudget.ts'
import {
  couponEndpoints,
  couponTemplateFields,
  couponTemplateList,
  couponTemplateStateLabels,
  type CouponTemplate,
  type CouponTemplateFilter,
} from '@saddle/contract/marketing/coupons.ts'
import { money, number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { keyword, many, one } from '#kit/list/filters/specs.tsx'
import { ListPage } from '#kit/list/ListPage.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList, type List } from '#kit/list/useList.ts'
import { Button, ButtonLink } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Mark } from '#kit/ui/Mark.tsx'
import { CouponPanel } from './CouponPanel.tsx'
import { effectText } from './words.ts'
import '../activities/activities.css'

const templates = listOf({
  list: couponTemplateList,
  call: couponEndpoints.listCouponTemplates,
  sums: couponEndpoints.sumCouponTemplates,
  file: couponEndpoints.exportCouponTemplates,
  fields: couponTemplateFields,
})

/** Kinds of coupons: what they cost and what became of those that were issued. */
export default function CouponsPage(): ReactNode {
  const list = useList(templates)
  return (
    <ListPage
      list={list}
      title={t('优惠券')}
      actions={
        <ButtonLink look="primary" to="/marketing/coupon-add">
          {t('新增优惠券')}
        </ButtonLink>
      }
      filters={[
        keyword(t('优惠券名称'), 'name'),
        many('states', t('状态'), couponTemplateStateLabels),
        one('budget', t('预算'), couponBudgetStateLabels),
      ]}
      above={<BudgetBanner list={list} />}
      columns={columns}
      rowName={({ name }) => name}
      empty={t('还没有优惠券')}
      renderPanel={(row) => <CouponPanel key={row.id} template={row} />}
    />
  )
}

function StateMark({ template }: { readonly template: CouponTemplate }) {
  const { state } = template
  const budget = couponBudgetState(template)
  return (
    <>
      <Mark tone={state === 'on' ? 'good' : 'off'}>{t(couponTemplateStateLabels[state])}</Mark>
      {budget !== null && <Mark tone={budget === 'dry' ? 'bad' : 'warn'}>{t(couponBudgetStateLabels[budget])}</Mark>}
    </>
  )
}

const refreshEveryMs = 60_000

/** Kinds whose budget is used up, and those whose budget will be soon; nothing where there are none. */
function BudgetBanner({ list }: { readonly list: Pick<List<CouponTemplate, CouponTemplateFilter>, 'change'> }) {
  const dry = useCount('dry')
  const low = useCount('low')
  if (dry === 0 && low === 0) return null
  const show = (budget: 'low' | 'dry') => list.change({ states: ['on'], budget })
  return (
    <output className="activity-banner">
      {dry > 0 && (
        <>
          <span>{t('{{count}} 种优惠券预算用完，已停止抵扣', { count: dry })}</span>
          <Button look="link" onClick={() => show('dry')}>
            {t('查看')}
          </Button>
        </>
      )}
      {low > 0 && (
        <>
          <span>{t('{{count}} 种优惠券预算已用八成以上', { count: low })}</span>
          <Button look="link" onClick={() => show('low')}>
            {t('查看')}
          </Button>
        </>
      )}
    </output>
  )
}

function useCount(budget: 'low' | 'dry'): number {
  const filter = { states: ['on' as const], budget }
  const { data } = useEndpoint(
    couponEndpoints.listCouponTemplates,
    { filter, pageSize: 1 },
    { quiet: true, refetchIntervalMs: refreshEveryMs },
  )
  return data?.data.count ?? 0
}

const columns = (): readonly ColumnSpec<CouponTemplate>[] => [
  {
    key: 'name',
    card: 'head',
    render: ({ name, terms }) => (
      <span>
        {name} <small>{effectText(terms)}</small>
      </span>
    ),
  },
  {
    key: 'state',
    card: 'head',
    render: (row) => <StateMark template={row} />,
  },
  'issued',
  'open',
  'used',
  {
    key: 'usedCents',
    render: ({ usedCents, budgetCents }) =>
      budgetCents === null ? money(usedCents) : `${money(usedCents)} / ${money(budgetCents)}`,
  },
  {
    key: 'budgetUses',
    card: 'none',
    render: ({ used, budgetUses }) => (budgetUses === null ? t('不限') : `${number(used)} / ${number(budgetUses)}`),
  },
  { key: 'company', card: 'wide' },
  { key: 'expired', isOptional: true },
  { key: 'revoked', isOptional: true },
  { key: 'createdAt', card: 'none' },
  { key: 'changedAt', isOptional: true },
  { key: 'changedBy', isOptional: true },
]
