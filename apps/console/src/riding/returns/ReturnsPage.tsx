import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { emptyText } from '@saddle/contract/constants.ts'
import { returnKindLabels } from '@saddle/contract/riding/price.ts'
import { reviewStateLabels, type ListedReview } from '@saddle/contract/riding/returns.ts'
import { t } from '#kit/i18n/index.ts'
import { areas, days, many, one } from '#kit/list/filters/specs.tsx'
import { ListPage } from '#kit/list/ListPage.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { RiderLink } from '#kit/ui/RiderLink.tsx'
import { orderKeyword } from '../orders/orderKeyword.ts'
import { wordsOfReason } from '#kit/i18n/reason.ts'
import { DecideBar } from './DecideBar.tsx'
import { reviews } from './list.ts'
import { ReviewPanel } from './ReviewPanel.tsx'
import './returns.css'

const isWaiting = ({ state }: ListedReview): boolean => state === 'open'

/** Returns with a fee or a dispute, each with its evidence, decided one by one or together. */
export default function ReturnsPage(): ReactNode {
  const list = useList(reviews)
  return (
    <ListPage
      list={list}
      title={t('还车审批')}
      layout="queue"
      filters={[
        orderKeyword(),
        many('states', t('状态'), reviewStateLabels),
        many('kinds', t('还车判定'), returnKindLabels),
        one('disputed', t('骑行者异议'), [
          { value: true, label: t('有异议') },
          { value: false, label: t('无异议') },
        ]),
        areas('areaIds'),
        days(t('提交日期')),
      ]}
      columns={columns}
      rowName={({ number }) => number}
      empty={t('没有待审批的还车')}
      selectable={isWaiting}
      renderTools={(rows, done) => <DecideBar chosen={rows} onDone={done} />}
      isWaiting={isWaiting}
      renderPanel={(row, { goOn }) => <ReviewPanel key={row.orderId} review={row} onDecided={goOn} />}
    />
  )
}

const columns = (): readonly ColumnSpec<ListedReview>[] => [
  {
    key: 'vehicleNumber',
    card: 'head',
    render: (row) => <Link to={`/vehicle-info?vehicle=${row.vehicleNumber}`}>{row.vehicleNumber}</Link>,
  },
  'endedAt',
  {
    key: 'returnKind',
    render: ({ returnKind, distanceM }) => (
      <span>
        {returnKind === null ? emptyText : t(returnKindLabels[returnKind])}
        {distanceM !== null && distanceM > 0 && (
          <small className="returns-far">{t('距停车点 {{metres}} 米', { metres: Math.round(distanceM) })}</small>
        )}
      </span>
    ),
  },
  { key: 'feeCents', card: 'head' },
  {
    key: 'claim',
    render: ({ cause, claim }) => (cause === 'dispute' ? <span className="returns-claim">{claim}</span> : emptyText),
  },
  { key: 'photoCount', card: 'none' },
  { key: 'areaName', card: 'none' },
  {
    key: 'riderPhone',
    card: 'none',
    render: (row) => <RiderLink riderId={row.riderId}>{row.riderPhone}</RiderLink>,
  },
  {
    key: 'state',
    card: 'none',
    render: ({ state, decidedBy }) =>
      [t(reviewStateLabels[state]), ...(decidedBy === null ? [] : [wordsOfReason(decidedBy)])].join(' · '),
  },
  { key: 'openedAt', card: 'none' },
  { key: 'number', isOptional: true },
  { key: 'decidedAt', isOptional: true },
  { key: 'note', isOptional: true },
]
