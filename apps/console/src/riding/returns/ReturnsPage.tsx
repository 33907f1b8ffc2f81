import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { emptyText } from '@saddle/contract/constants.ts'
import { returnKindLabels } from '@saddle/contract/riding/price.ts'
import { nearReturnsM, reviewStateLabels, type ListedReview } from '@saddle/contract/riding/returns.ts'
import { number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { areas, days, many, one } from '#kit/list/filters/specs.tsx'
import { ListPage } from '#kit/list/ListPage.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { RiderLink } from '#kit/ui/RiderLink.tsx'
import { orderKeyword } from '../orders/orderKeyword.ts'
import { wordsOfReason } from '#kit/i18n/reason.ts'
import { PhotoThumb } from '#kit/photos/PhotoThumb.tsx'
import { ButtonLink } from '#kit/plain/Button.tsx'
import { DecideBar } from './DecideBar.tsx'
import { pathOfNear, reviews } from './list.ts'
import { loadPhotos, photosOf } from './photos.ts'
import { ReviewPanel } from './ReviewPanel.tsx'
import { sameSpot } from './spots.ts'
import './returns.css'

const isWaiting = ({ state }: ListedReview): boolean => state === 'open'

/** Returns with a fee or a dispute, each with its evidence, decided one by one or together. */
export default function ReturnsPage(): ReactNode {
  const list = useList(reviews)
  const [nearM] = nearReturnsM
  return (
    <ListPage
      list={list}
      title={t('还车审批')}
      layout="queue"
      actions={
        <ButtonLink look="quiet" to={pathOfNear}>
          {t('有异议且距停车点不超过 {{metres}} 米', { metres: nearM })}
        </ButtonLink>
      }
      filters={[
        orderKeyword(),
        many('states', t('状态'), reviewStateLabels),
        many('kinds', t('还车判定'), returnKindLabels),
        one('disputed', t('骑行者异议'), [
          { value: true, label: t('有异议') },
          { value: false, label: t('无异议') },
        ]),
        one(
          'withinM',
          t('距停车点'),
          nearReturnsM.map((metres) => ({ value: metres, label: t('不超过 {{metres}} 米', { metres }) })),
        ),
        areas('areaIds'),
        days(t('提交日期')),
      ]}
      columns={columns}
      rowName={({ number }) => number}
      empty={t('没有待审批的还车')}
      selectable={isWaiting}
      renderTools={(rows, done) => <DecideBar chosen={rows} onDone={done} />}
      isWaiting={isWaiting}
      renderPanel={(row, { goOn, next }) => {
        const others = row.state === 'open' ? sameSpot(row, list.rows ?? []) : []
        return (
          <ReviewPanel
            key={row.orderId}
            review={row}
            next={next}
            others={others}
            onTogether={() => list.choose([row, ...others].map(({ orderId }) => orderId))}
            onDecided={goOn}
          />
        )
      }}
    />
  )
}

const columns = (): readonly ColumnSpec<ListedReview>[] => [
  {
    key: 'vehicleNumber',
    card: 'head',
    render: (row) => <Link to={`/vehicle-info?vehicle=${row.vehicleNumber}`}>{row.vehicleNumber}</Link>,
  },
  {
    key: 'photoCount',
    numeric: false,
    unit: '',
    card: 'head',
    render: (row) => (
      <PhotoThumb of={photosOf(row)} count={row.photoCount} load={(signal) => loadPhotos(row.orderId, signal)} />
    ),
  },
  'endedAt',
  {
    key: 'returnKind',
    render: ({ returnKind, distanceM }) => (
      <span>
        {returnKind === null ? emptyText : t(returnKindLabels[returnKind])}
        {distanceM !== null && distanceM > 0 && (
          <small className="returns-far">
            {t('距停车点 {{metres}} 米', { metres: number(Math.round(distanceM)) })}
          </small>
        )}
      </span>
    ),
  },
  { key: 'feeCents', card: 'head' },
  {
    key: 'claim',
    render: ({ cause, claim }) => (cause === 'dispute' ? <span className="returns-claim">{claim}</span> : emptyText),
  },
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
