import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import {
  cardProductEndpoints,
  cardProductFields,
  cardProductList,
  fewLeft,
  shelfStateLabels,
  type CardProduct,
} from '@saddle/contract/finance/cardProducts.ts'
import { cardKindLabels } from '@saddle/contract/finance/cardTerms.ts'
import { money, number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { keyword, many, one, tabbed } from '#kit/list/filters/specs.tsx'
import { ListPage } from '#kit/list/ListPage.tsx'
import { StateTabs } from '#kit/list/StateTabs.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { ButtonLink } from '#kit/plain/Button.tsx'
import { ViewSegments } from '#kit/plain/ViewSegments.tsx'
import { useEndpoint } from '#kit/query.ts'
import { areaEndpoints } from '@saddle/contract/organisation/areas.ts'
import { Mark } from '#kit/ui/Mark.tsx'
import { ProductForm } from './ProductForm.tsx'
import { ProductPanel } from './ProductPanel.tsx'
import { ShelfOrder } from './ShelfOrder.tsx'
import { SoldCards } from './SoldCards.tsx'
import { lengthText, mallPath, promiseText, shelfTones } from './words.ts'

const products = listOf({
  list: cardProductList,
  call: cardProductEndpoints.listCardProducts,
  sums: cardProductEndpoints.sumCardProducts,
  file: cardProductEndpoints.exportCardProducts,
  fields: cardProductFields,
})

/** The mall: cards on sale, their order, what was sold, and the form of one. */
export default function MallPage(): ReactNode {
  const [search] = useSearchParams()
  const [edit, from, view] = [search.get('edit'), search.get('from'), search.get('view')]
  if (edit !== null) return <ProductForm key={edit} id={Number(edit)} from={null} />
  if (from !== null) return <ProductForm key={from} id={null} from={Number(from)} />
  if (view === 'new') return <ProductForm key="new" id={null} from={null} />
  if (view === 'order') return <ShelfOrder />
  if (view === 'sold') return <SoldCards title={t('商城配置')} views={<Views view="sold" />} />
  return <Products />
}

/** The parts of the mall. */
function Views({ view }: { view: 'products' | 'sold' }) {
  return (
    <ViewSegments<'products' | 'sold'>
      path={mallPath}
      label={t('商城配置')}
      options={[
        { value: 'products', label: t('货架') },
        { value: 'sold', label: t('售出的卡') },
      ]}
      value={view}
    />
  )
}

function Products() {
  const list = useList(products)
  const areas = useEndpoint(areaEndpoints.listServiceAreas, {}, { staleMs: 300_000 })
  const areaNames = Object.fromEntries((areas.data?.data.list ?? []).map(({ id, name }) => [String(id), name]))
  return (
    <ListPage
      list={list}
      title={t('商城配置')}
      above={
        <>
          <Views view="products" />
          <StateTabs
            list={list}
            call={cardProductEndpoints.listCardProducts}
            name="shelf"
            title={t('状态')}
            labels={shelfStateLabels}
          />
        </>
      }
      actions={
        <>
          <ButtonLink to={`${mallPath}?view=order`}>{t('调整货架')}</ButtonLink>
          <ButtonLink look="primary" to={`${mallPath}?view=new`}>
            {t('新增卡')}
          </ButtonLink>
        </>
      }
      filters={[
        tabbed('shelf'),
        keyword(t('卡名称'), 'name'),
        many('kinds', t('类型'), cardKindLabels),
        one('areaId', t('适用服务区'), areaNames),
      ]}
      columns={columns}
      rowName={({ name }) => name}
      empty={t('货架上还没有卡')}
      renderPanel={(row) => <ProductPanel key={`${row.id} ${row.version}`} product={row} />}
    />
  )
}

const columns = (): readonly ColumnSpec<CardProduct>[] => [
  {
    key: 'name',
    card: 'head',
    render: ({ name, terms }) => (
      <span>
        {name} <small>{promiseText(terms)}</small>
      </span>
    ),
  },
  {
    key: 'shelf',
    card: 'head',
    render: ({ shelf }) => <Mark tone={shelfTones[shelf]}>{t(shelfStateLabels[shelf])}</Mark>,
  },
  { key: 'kind', card: 'none' },
  {
    key: 'priceCents',
    render: ({ priceCents, terms }) => (
      <span>
        {money(priceCents)} {terms.wasPriceCents !== null && <s>{money(terms.wasPriceCents)}</s>}
      </span>
    ),
  },
  { key: 'length', title: t('有效期'), card: 'none', render: ({ terms }) => lengthText(terms) },
  {
    key: 'left',
    render: ({ left, terms }) =>
      left === null ? (
        t('不限')
      ) : (
        <span>
          {left <= fewLeft ? <Mark tone="warn">{number(left)}</Mark> : number(left)} / {number(terms.stock ?? 0)}
        </span>
      ),
  },
  { key: 'soldCards', sort: 'sold' },
  'activeCards',
  { key: 'salesCents', sort: 'sales' },
  { key: 'refundedCents', card: 'none' },
  { key: 'givenCards', isOptional: true },
  { key: 'company', card: 'wide' },
  { key: 'changedAt', isOptional: true },
  { key: 'changedBy', isOptional: true },
  { key: 'createdAt', isOptional: true },
  { key: 'id', isOptional: true },
]
