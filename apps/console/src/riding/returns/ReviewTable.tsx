import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { returnKindLabels } from '@saddle/contract/riding/price.ts'
import {
  returnEndpoints,
  reviewStateLabels,
  type ListedReview,
  type ReviewFilter,
} from '@saddle/contract/riding/returns.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { call } from '#kit/api/client.ts'
import { dateTime, money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DataTable, type Column } from '#kit/list/DataTable.tsx'
import { ExportButton } from '#kit/list/ExportButton.tsx'
import { Pager } from '#kit/list/Pager.tsx'
import { usePages } from '#kit/list/usePages.ts'
import { useTotal } from '#kit/list/useTotal.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { useScope } from '#kit/session/scope.ts'
import { RiderLink } from '#kit/ui/RiderLink.tsx'
import { wordsOfReason } from '../reason.ts'
import type { Chosen } from './question.ts'

const pageSize = 50
const refreshEveryMs = minuteMs

interface Props {
  readonly filter: ReviewFilter
  readonly chosen: readonly Chosen[]
  readonly onChoose: (chosen: readonly Chosen[]) => void
  /** The one whose evidence is open. */
  readonly shown: number | null
  readonly onShow: (orderId: number) => void
  readonly empty: ReactNode
  /** What is done with the chosen ones, above the list. */
  readonly children: ReactNode
}

/** The returns that the question asks for; only those that wait can be chosen. */
export function ReviewTable({ filter, chosen, onChoose, shown, onShow, empty, children }: Props): ReactNode {
  const { scopeKey } = useScope()
  const question = JSON.stringify([filter, scopeKey])
  const pages = usePages(question)
  const input = { filter, ...(pages.cursor !== undefined && { cursor: pages.cursor }), pageSize }
  const { data, error, isPlaceholderData, refetch } = useEndpoint(returnEndpoints.listReturnReviews, input, {
    keepPrevious: true,
    refetchIntervalMs: refreshEveryMs,
  })
  const page = data?.data
  const known = useTotal(question, page, isPlaceholderData)
  const choose = (keys: readonly (string | number)[]) => {
    const waiting = (page?.list ?? []).filter(({ state }) => state === 'open')
    const offered = new Map([...chosen, ...waiting].map((row) => [row.orderId, row]))
    onChoose(keys.flatMap((key) => offered.get(Number(key)) ?? []))
  }
  return (
    <>
      {chosen.length > 0 ? children : <ExportBar filter={filter} />}
      <DataTable<ListedReview>
        label={t('还车审批')}
        columns={columnsOf({ shown, onShow })}
        rows={page?.list}
        rowKey={(row) => row.orderId}
        loading={isPlaceholderData}
        error={error}
        onRetry={() => void refetch()}
        selected={chosen.map(({ orderId }) => orderId)}
        onSelect={choose}
        onOpen={(row) => onShow(row.orderId)}
        cardHead={headOf}
        empty={empty}
      />
      <Pager
        page={pages.page}
        hasNext={page !== undefined && page.nextCursor !== null}
        count={known?.count ?? null}
        isCountCut={known?.isCut === true}
        busy={isPlaceholderData}
        onPrevious={pages.previous}
        onNext={() => pages.next(page?.nextCursor ?? null)}
      />
    </>
  )
}

function ExportBar({ filter }: { filter: ReviewFilter }) {
  return (
    <div className="order-tools">
      <ExportButton
        onExport={async (at, signal) =>
          (await call(returnEndpoints.exportReturnReviews, { filter, ...at }, { signal })).data
        }
      />
    </div>
  )
}

const headOf = (row: ListedReview): ReactNode => (
  <span className="order-head">
    <strong>{row.vehicleNumber}</strong>
    <span>{t('{{yuan}} 元', { yuan: money(row.feeCents) })}</span>
  </span>
)

interface Showing {
  readonly shown: number | null
  readonly onShow: (orderId: number) => void
}

function columnsOf({ shown, onShow }: Showing): readonly Column<ListedReview>[] {
  return [
    {
      key: 'vehicle',
      title: t('车辆编号'),
      inHead: true,
      render: (row) => <Link to={`/vehicle-info?vehicle=${row.vehicleNumber}`}>{row.vehicleNumber}</Link>,
    },
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
    {
      key: 'phone',
      title: t('手机号'),
      render: (row) => <RiderLink riderId={row.riderId}>{row.riderPhone}</RiderLink>,
    },
    {
      key: 'state',
      title: t('状态'),
      render: (row) =>
        row.decidedBy === null
          ? t(reviewStateLabels[row.state])
          : `${t(reviewStateLabels[row.state])} · ${wordsOfReason(row.decidedBy)}`,
    },
    {
      key: 'show',
      title: t('依据'),
      render: (row) => (
        <Button look="quiet" aria-pressed={shown === row.orderId} onClick={() => onShow(row.orderId)}>
          {t('查看')}
        </Button>
      ),
    },
  ]
}
