import type { ReactNode } from 'react'
import {
  couponEndpoints,
  couponTemplateFields,
  couponTemplateList,
  couponTemplateStateLabels,
  type CouponTemplate,
} from '@saddle/contract/marketing/coupons.ts'
import { money, number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { keyword, many } from '#kit/list/filters/specs.tsx'
import { ListPage } from '#kit/list/ListPage.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { ButtonLink } from '#kit/plain/Button.tsx'
import { Mark } from '#kit/ui/Mark.tsx'
import { CouponPanel } from './CouponPanel.tsx'
import { effectText } from './words.ts'

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
      filters={[keyword(t('优惠券名称'), 'name'), many('states', t('状态'), couponTemplateStateLabels)]}
      columns={columns}
      rowName={({ name }) => name}
      empty={t('还没有优惠券')}
      renderPanel={(row) => <CouponPanel key={row.id} template={row} />}
    />
  )
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
    render: ({ state }) => <Mark tone={state === 'on' ? 'good' : 'off'}>{t(couponTemplateStateLabels[state])}</Mark>,
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
  { key: 'company', card: 'none' },
  { key: 'expired', isOptional: true },
  { key: 'revoked', isOptional: true },
  { key: 'createdAt', card: 'none' },
  { key: 'changedAt', isOptional: true },
  { key: 'changedBy', isOptional: true },
]
