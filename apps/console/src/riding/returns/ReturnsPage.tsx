import { useState, type ReactNode } from 'react'
import {
  returnEndpoints,
  reviewFilterSchema,
  reviewStates,
  type ReviewFilter,
} from '@saddle/contract/riding/returns.ts'
import { t } from '#kit/i18n/index.ts'
import { useAddressFilter } from '#kit/list/addressFilter.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Empty } from '#kit/ui/states.tsx'
import { DecideBar } from './DecideBar.tsx'
import type { Chosen } from './question.ts'
import { ReviewFilterBar } from './ReviewFilterBar.tsx'
import { ReviewPanel } from './ReviewPanel.tsx'
import { ReviewTable } from './ReviewTable.tsx'
import '../orders/orders.css'
import './returns.css'

/** Returns outside of places and those that riders dispute: each with its evidence, decided one by one or together. */
export default function ReturnsPage(): ReactNode {
  const [filter, setFilter] = useAddressFilter(reviewFilterSchema, { secret: ['phone'] })
  const [shown, setShown] = useState<number | null>(null)
  const [chosen, setChosen] = useState<readonly Chosen[]>([])
  const { data } = useEndpoint(returnEndpoints.listReturnReviews, { pageSize: 1 }, { quiet: true })
  const open = data?.data.openCount
  const ask = (next: ReviewFilter) => {
    setFilter(next)
    setChosen([])
  }
  return (
    <div className="page orders-page">
      <header className="page-head">
        <h1>
          {t('还车审批')}
          {open !== undefined && <small className="returns-open">{t('{{count}} 单待审批', { count: open })}</small>}
        </h1>
      </header>
      <ReviewFilterBar filter={filter} onFilter={ask} />
      <div className="returns">
        <section className="page-card">
          <ReviewTable
            filter={filter}
            chosen={chosen}
            onChoose={setChosen}
            shown={shown}
            onShow={setShown}
            empty={<Nothing filter={filter} onFilter={ask} />}
          >
            <DecideBar chosen={chosen} onDone={() => setChosen([])} />
          </ReviewTable>
        </section>
        {shown !== null && <ReviewPanel key={shown} orderId={shown} onClose={() => setShown(null)} />}
      </div>
    </div>
  )
}

function Nothing({ filter, onFilter }: { filter: ReviewFilter; onFilter: (filter: ReviewFilter) => void }) {
  const isFiltered = Object.keys(filter).length > 0
  return (
    <Empty
      title={isFiltered ? t('没有符合条件的还车') : t('没有待审批的还车')}
      action={
        isFiltered ? (
          <Button onClick={() => onFilter({})}>{t('清除条件')}</Button>
        ) : (
          <Button onClick={() => onFilter({ states: [...reviewStates] })}>{t('查看全部')}</Button>
        )
      }
    />
  )
}
