import { useState, type ReactNode } from 'react'
import { reviewStateLabels, reviewStates, returnEndpoints } from '@saddle/contract/riding/returns.ts'
import { t } from '#kit/i18n/index.ts'
import { Areas, Many } from '#kit/list/Choices.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Empty } from '#kit/ui/states.tsx'
import { DecideBar } from './DecideBar.tsx'
import type { ReviewQuestion } from './question.ts'
import { ReviewPanel } from './ReviewPanel.tsx'
import { ReviewTable } from './ReviewTable.tsx'
import './returns.css'

const first: ReviewQuestion = { states: ['open'], areaIds: undefined, disputed: false }

/** Returns outside of places and those that riders dispute: each with its evidence, decided one by one or together. */
export default function ReturnsPage(): ReactNode {
  const [question, setQuestion] = useState(first)
  const [shown, setShown] = useState<number | null>(null)
  const [selected, setSelected] = useState<readonly number[]>([])
  const { data } = useEndpoint(returnEndpoints.listReturnReviews, { pageSize: 1 }, { quiet: true })
  const open = data?.data.openCount
  const ask = (part: Partial<ReviewQuestion>) => {
    setQuestion({ ...question, ...part })
    setSelected([])
  }
  return (
    <div className="page">
      <header className="page-head">
        <h1>
          {t('还车审批')}
          {open !== undefined && <small className="returns-open">{t('{{count}} 单待审批', { count: open })}</small>}
        </h1>
      </header>
      <search className="filter-bar" aria-label={t('筛选条件')}>
        <div className="filter-row">
          <Many
            label={t('状态')}
            value={question.states}
            options={reviewStates.map((state) => ({ value: state, label: t(reviewStateLabels[state]) }))}
            onChange={(states) => ask({ states: states ?? ['open'] })}
          />
          <Areas value={question.areaIds} onChange={(areaIds) => ask({ areaIds })} />
          <label className="returns-disputed">
            <input
              type="checkbox"
              checked={question.disputed}
              onChange={(event) => ask({ disputed: event.target.checked })}
            />
            {t('只看骑行者有异议的')}
          </label>
        </div>
      </search>
      <div className="returns">
        <section className="page-card">
          <DecideBar orderIds={selected} onDone={() => setSelected([])} />
          <ReviewTable
            question={question}
            selected={selected}
            onSelect={setSelected}
            onShow={setShown}
            empty={
              <Empty
                title={t('没有待审批的还车')}
                action={
                  <Button onClick={() => setQuestion({ ...first, states: reviewStates })}>{t('查看全部')}</Button>
                }
              />
            }
          />
        </section>
        {shown !== null && <ReviewPanel key={shown} orderId={shown} onClose={() => setShown(null)} />}
      </div>
    </div>
  )
}
