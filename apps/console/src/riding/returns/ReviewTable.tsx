import type { ReactNode } from 'react'
import { returnKindLabels } from '@saddle/contract/riding/price.ts'
import { returnEndpoints, reviewStateLabels, type ListedReview } from '@saddle/contract/riding/returns.ts'
import { dateTime, money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DataTable, type Column } from '#kit/list/DataTable.tsx'
import { Pager } from '#kit/list/Pager.tsx'
import { usePages } from '#kit/list/usePages.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { useScope } from '#kit/session/scope.ts'
import type { ReviewQuestion } from './question.ts'

const pageSize = 50
const refreshEveryMs = 60_000

interface Props {
  readonly question: ReviewQuestion
  readonly selected: readonly number[]
  readonly onSelect: (orderIds: readonly number[]) => void
  readonly onShow: (orderId: number) => void
  readonly empty: ReactNode
}

/** The returns that the question asks for; only those that wait can be chosen. */
export function ReviewTable({ question, selected, onSelect, onShow, empty }: Props): ReactNode {
  const { scopeKey } = useScope()
  const pages = usePages(JSON.stringify([question, scopeKey]))
  const { states, areaIds, disputed } = question
  const input = {
    states: [...states],
    ...(disputed && { disputed: true }),
    ...(areaIds !== undefined && { areaIds: [...areaIds] }),
    ...(pages.cursor !== undefined && { cursor: pages.cursor }),
    pageSize,
  }
  const { data, error, isPlaceholderData, refetch } = useEndpoint(returnEndpoints.listReturnReviews, input, {
    keepPrevious: true,
    refetchIntervalMs: refreshEveryMs,
  })
  const page = data?.data
  const waiting = new Set(page?.list.filter(({ state }) => state === 'open').map(({ orderId }) => orderId))
  return (
    <>
      <DataTable<ListedReview>
        label={t('还车审批')}
        columns={columnsOf(onShow)}
        rows={page?.list}
        rowKey={(row) => row.orderId}
        loading={isPlaceholderData}
        error={error}
        onRetry={() => void refetch()}
        selected={selected}
        onSelect={(keys) => onSelect(keys.map(Number).filter((id) => waiting.has(id) || selected.includes(id)))}
        onOpen={(row) => onShow(row.orderId)}
        cardHead={headOf}
        empty={empty}
      />
      <Pager
        page={pages.page}
        hasNext={page !== undefined && page.nextCursor !== null}
        count={null}
        busy={isPlaceholderData}
        onPrevious={pages.previous}
        onNext={() => pages.next(page?.nextCursor ?? null)}
      />
    </>
  )
}

const headOf = (row: ListedReview): ReactNode => (
  <span className="order-head">
    <strong>{row.vehicleNumber}</strong>
    <span>{t('{{yuan}} 元', { yuan: money(row.feeCents) })}</span>
  </span>
)

function columnsOf(onShow: (orderId: number) => void): readonly Column<ListedReview>[] {
  return [
    { key: 'vehicle', title: t('车辆编号'), inHead: true, render: (row) => row.vehicleNumber },
    { key: 'ended', title: t('还车时间'), render: (row) => <time>{dateTime(row.endedAt)}</time> },
    {
      key: 'kind',
      title: t('还车判定'),
      render: ({ returnKind, distanceM }) => (
        <span>
          {returnKind === null ? '--' : t(returnKindLabels[returnKind])}
          {distanceM !== null && distanceM > 0 && (
            <small className="returns-far">{t('距停车点 {{metres}} 米', { metres: Math.round(distanceM) })}</small>
          )}
        </span>
      ),
    },
    {
      key: 'fee',
      title: t('还车费用'),
      unit: t('元'),
      numeric: true,
      inHead: true,
      render: (row) => money(row.feeCents),
    },
    {
      key: 'claim',
      title: t('骑行者说明'),
      render: (row) => (row.cause === 'dispute' ? <span className="returns-claim">{row.claim}</span> : '--'),
    },
    {
      key: 'photos',
      title: t('照片'),
      unit: t('张'),
      numeric: true,
      render: ({ photoCount }) => (photoCount === 0 ? '--' : photoCount),
    },
    { key: 'area', title: t('服务区'), render: (row) => row.areaName },
    { key: 'phone', title: t('手机号'), render: (row) => row.riderPhone },
    {
      key: 'state',
      title: t('状态'),
      render: (row) =>
        row.decidedBy === null
          ? t(reviewStateLabels[row.state])
          : `${t(reviewStateLabels[row.state])} · ${row.decidedBy}`,
    },
    {
      key: 'show',
      title: t('依据'),
      render: (row) => (
        <Button look="quiet" onClick={() => onShow(row.orderId)}>
          {t('查看')}
        </Button>
      ),
    },
  ]
}
