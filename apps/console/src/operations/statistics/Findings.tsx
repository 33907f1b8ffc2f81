import { lazy, Suspense, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import {
  repeatDays,
  usedPartFields,
  workStatisticsEndpoints,
  type UsedPart,
  type WorkPage,
} from '@saddle/contract/operations/statistics/work.ts'
import { taskKindLabels, taskKinds } from '@saddle/contract/operations/taskWords.ts'
import type { AnswerOf } from '#kit/api/client.ts'
import { Chart } from '#kit/charts/Chart.tsx'
import { Bars } from '#kit/charts/Bars.tsx'
import { Figure } from '#kit/charts/Figure.tsx'
import { loadChunk } from '#kit/chunk.tsx'
import { number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { ListCard } from '#kit/list/ListCard.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { heldListOf, useHeldList } from '#kit/list/useHeldList.ts'
import { useEndpoint } from '#kit/query.ts'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { isDrawn, type Way } from './ways.ts'
import { questionLink, share, whoAndWhere, type Figures, type Question } from './question.ts'

const WaysMap = lazy(() => loadChunk(() => import('./WaysMap.tsx')))

interface Props {
  readonly page: WorkPage
  readonly question: Question
  readonly figures: Figures
}

type Found = AnswerOf<typeof workStatisticsEndpoints.workFindings>['data']
const listMax = 12

/** What the work says beyond its sums: hours, reasons, parts, faults, ways. */
export function Findings({ page, question, figures }: Props): ReactNode {
  const { span, narrow } = question
  const input = { filter: { page, ...span, ...whoAndWhere(narrow) } }
  const { data, error, refetch } = useEndpoint(workStatisticsEndpoints.workFindings, input, {
    keepPrevious: true,
    quiet: true,
  })
  if (data === undefined) return error === null ? null : <ErrorState error={error} onRetry={() => void refetch()} />
  const found = data.data
  const link = (more: Question['narrow']) => questionLink({ span, narrow: { ...narrow, ...more } })
  return (
    <div className="work-findings">
      {page === 'repair' && <Repairs found={found} done={figures.total.done} link={link} />}
      {page === 'inspection' && <Faults found={found} done={figures.total.done} question={question} />}
      {found.moves !== null && <Moves moves={found.moves} figures={figures} />}
      <section className="page-card">
        <Hours hours={found.hours} link={(hour) => link({ hour })} />
      </section>
    </div>
  )
}

interface FoundProps {
  readonly found: Found
  readonly done: number
  readonly link: (more: Question['narrow']) => string
}

const parts = heldListOf<UsedPart>({
  name: 'used-parts',
  fields: usedPartFields,
  sorts: { cents: ['desc', ({ cents }) => cents], pieces: ['desc', ({ pieces }) => pieces] },
  rowKey: ({ name, unit }) => `${name} ${unit}`,
})
const partColumns: readonly ColumnSpec<UsedPart>[] = [
  { key: 'name', card: 'head' },
  { key: 'pieces', render: ({ pieces, unit }) => `${pieces} ${unit}` },
  'cents',
]

function Repairs({ found, done, link }: FoundProps) {
  const list = useHeldList(parts, { rows: found.parts, fileName: 'parts' })
  return (
    <>
      <section className="page-card">
        <h2>{t('维修原因')}</h2>
        <Bars
          label={t('维修原因')}
          bars={found.reasons.slice(0, listMax).map(({ name, count }) => ({
            key: name,
            label: name === '' ? t('未填写') : name,
            value: count,
            text: `${number(count)} · ${share(count, done)}%`,
            to: link(name === '' ? {} : { reason: name }),
          }))}
        />
      </section>
      <section className="page-card">
        <h2>{t('返修与配件')}</h2>
        <div className="figures work-inner">
          <Figure
            label={t('{{count}} 天内返修', { count: repeatDays })}
            value={found.repeats ?? 0}
            unit={t('个任务')}
            note={t('占完成的 {{share}}%', { share: share(found.repeats ?? 0, done) })}
            to={link({ isRepeat: true })}
          />
        </div>
        {found.parts.length === 0 ? (
          <p className="work-hint">{t('这段时间没有登记更换的配件')}</p>
        ) : (
          <ListCard list={list} label={t('更换的配件')} columns={partColumns} rowName={({ name }) => name} />
        )}
      </section>
    </>
  )
}

function Faults({ found, done, question }: Omit<FoundProps, 'link'> & Pick<Props, 'question'>) {
  const faults = found.faults.reduce((sum, { count }) => sum + count, 0)
  return (
    <section className="page-card">
      <h2>{t('巡检发现')}</h2>
      <div className="figures work-inner">
        <Figure
          label={t('上报故障')}
          value={faults}
          unit={t('个')}
          note={t('每百次巡检 {{count}} 个', { count: share(faults, done) })}
          to={reportsLink(question)}
        />
        <Figure
          label={t('由此产生的维修')}
          value={found.repairs ?? 0}
          unit={t('个任务')}
          to="/data/repair-statistics"
        />
      </div>
      {found.faults.length === 0 ? (
        <p className="work-hint">{t('这段时间巡检没有上报故障')}</p>
      ) : (
        <Bars
          label={t('故障原因')}
          bars={found.faults.slice(0, listMax).map(({ name, count }) => ({ key: name, label: name, value: count }))}
        />
      )}
    </section>
  )
}

/** The faults that inspections reported in the same days and areas. */
function reportsLink({ span, narrow: { areaIds } }: Question): string {
  const params = new URLSearchParams({ from: span.from, to: span.to })
  if (areaIds !== undefined) params.set('filter', JSON.stringify({ areaIds }))
  return `/data/inspect-report-statistics?${params}`
}

function Moves({ moves, figures }: { readonly moves: NonNullable<Found['moves']>; readonly figures: Figures }) {
  const { done } = figures.total
  return (
    <>
      <section className="page-card">
        <h2>{t('挪车的效果')}</h2>
        <div className="figures work-inner">
          <Figure
            label={t('24 小时内被骑行')}
            value={share(moves.ridden, moves.settled)}
            unit="%"
            note={t('按已满一天的 {{count}} 次计', { count: moves.settled })}
          />
          <Figure
            label={t('每次挪车后的骑行')}
            value={moves.settled === 0 ? '--' : (moves.rides / moves.settled).toFixed(1)}
            unit={t('次')}
            note={t('挪车后 24 小时')}
          />
          <Figure
            label={t('平均距离')}
            value={done === 0 ? '--' : (moves.metres / done / 1_000).toFixed(2)}
            unit="km"
          />
        </div>
        <Bars
          label={t('按类型')}
          bars={taskKinds.flatMap((kind) => {
            const row = figures.kinds.find(({ name }) => name === kind)
            return row === undefined ? [] : [{ key: kind, label: t(taskKindLabels[kind]), value: row.done }]
          })}
        />
      </section>
      <section className="page-card work-wide">
        <h2>{t('从哪里到哪里')}</h2>
        {moves.ways.some(isDrawn) && (
          <Suspense fallback={<Loading />}>
            <WaysMap ways={moves.ways} />
          </Suspense>
        )}
        <Bars label={t('从哪里到哪里')} bars={moves.ways.slice(0, listMax).map(barOf)} />
      </section>
    </>
  )
}

const elsewhere = (name: string): string => (name === '' ? t('停车点以外') : name)

/** Moves between two places, as a link to the place they ended or began at. */
function barOf({ from, to, count }: Way) {
  const place = to === '' ? from : to
  const bar = { key: JSON.stringify([from, to]), label: `${elsewhere(from)} → ${elsewhere(to)}`, value: count }
  return place === '' ? bar : { ...bar, to: placeLink(place) }
}

/** What stands at a place, and what comes and goes there. */
const placeLink = (name: string): string =>
  `/data/station-statistics?filter=${encodeURIComponent(JSON.stringify({ name }))}`

/** One bar for each hour of the business day. */
function Hours({ hours, link }: { readonly hours: readonly number[]; readonly link: (hour: number) => string }) {
  const navigate = useNavigate()
  return (
    <Chart
      title={t('完成的钟点')}
      height={160}
      labels={hours.map((_, hour) => t('{{hour}} 点', { hour }))}
      onSelect={(hour) => void navigate(link(hour))}
      series={[{ name: t('完成'), values: hours, kind: 'bar', unit: ` ${t('个')}` }]}
    />
  )
}
