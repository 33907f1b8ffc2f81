import type { ReactNode } from 'react'
import {
  cardEndpoints,
  cardPayerLabels,
  cardStateLabels,
  soldCardFields,
  soldCardList,
  type SoldCard,
} from '@saddle/contract/finance/cards.ts'
import { cardKindLabels } from '@saddle/contract/finance/cardTerms.ts'
import { money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { days, many } from '#kit/list/filters/specs.tsx'
import { ListCard } from '#kit/list/ListCard.tsx'
import { ListPage } from '#kit/list/ListPage.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { Mark } from '#kit/ui/Mark.tsx'
import { riderKeyword } from '#kit/ui/riderKeyword.ts'
import { RiderLink } from '#kit/ui/RiderLink.tsx'
import { MoneyActions } from '../wallet/MoneyActions.tsx'
import { cardTones } from './words.ts'

const sold = listOf({
  list: soldCardList,
  call: cardEndpoints.listSoldCards,
  sums: cardEndpoints.sumSoldCards,
  file: cardEndpoints.exportSoldCards,
  fields: soldCardFields,
})

const filters = () => [
  riderKeyword<typeof sold.usual>(),
  many<typeof sold.usual>('states', t('状态'), cardStateLabels),
  many<typeof sold.usual>('kinds', t('类型'), cardKindLabels),
  many<typeof sold.usual>('payers', t('支付方式'), cardPayerLabels),
  days<typeof sold.usual>(t('下单日期')),
]

/** Every card that was sold or given. */
export function SoldCards({ title, views }: { readonly title: string; readonly views: ReactNode }): ReactNode {
  const list = useList(sold)
  return (
    <ListPage
      list={list}
      title={title}
      above={views}
      filters={filters()}
      columns={() => columns(true)}
      rowName={({ id }) => String(id)}
      empty={t('没有这样的卡')}
    />
  )
}

/** Those of one product, with some conditions that the figures set. */
export function SoldCardsOf({ fixed }: { readonly fixed: Readonly<Record<string, unknown>> }): ReactNode {
  const list = useList(sold, { fixed, isInside: true })
  return (
    <ListCard
      list={list}
      label={t('售出的卡')}
      filters={[riderKeyword(), days(t('下单日期'))]}
      columns={() => columns(false)}
      rowName={({ id }) => String(id)}
      empty={t('没有这样的卡')}
    />
  )
}

const columns = (withName: boolean): readonly ColumnSpec<SoldCard>[] => [
  {
    key: 'riderId',
    title: t('骑行者'),
    card: 'head',
    render: ({ riderId, phone }) => (
      <RiderLink riderId={riderId} money="payments">
        {phone ?? riderId}
      </RiderLink>
    ),
  },
  {
    key: 'state',
    card: 'head',
    render: ({ state }) => <Mark tone={cardTones[state]}>{t(cardStateLabels[state])}</Mark>,
  },
  ...(withName ? (['name', 'kind'] as const) : []),
  'paidBy',
  'priceCents',
  'askedAt',
  { key: 'firstDay', card: 'none' },
  { key: 'lastDay', card: 'none' },
  'uses',
  'ridesLeft',
  { key: 'savedCents', card: 'none' },
  { key: 'earnedCents', card: 'none' },
  {
    key: 'refundedCents',
    render: ({ refundedCents }) => (refundedCents === 0 ? '--' : money(refundedCents)),
  },
  {
    key: 'acts',
    title: t('操作'),
    card: 'wide',
    render: (card) =>
      card.refundableCents === 0 ? (
        '--'
      ) : (
        <MoneyActions
          permission="07010113"
          look="quiet"
          actions={[{ label: t('退卡'), action: { kind: 'refundCard', about: { card } } }]}
        />
      ),
  },
  { key: 'version', isOptional: true },
  { key: 'boughtAt', isOptional: true },
  { key: 'refundedAt', isOptional: true },
  { key: 'company', isOptional: true },
  { key: 'id', isOptional: true },
]
