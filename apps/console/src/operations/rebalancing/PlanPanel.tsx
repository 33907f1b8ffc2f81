import { lazy, Suspense, useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { taskBatchMax, taskEndpoints } from '@saddle/contract/operations/tasks.ts'
import {
  rebalancingEndpoints,
  type MovePlan,
  type PlannedMove,
  type PlanStop,
} from '@saddle/contract/operations/rebalancing.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { useAction } from '#kit/action/useAction.ts'
import { loadChunk } from '#kit/chunk.tsx'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { One } from '#kit/list/Choices.tsx'
import { ListCard } from '#kit/list/ListCard.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { heldListOf, useHeldList } from '#kit/list/useHeldList.ts'
import { notify } from '#kit/notify.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Empty, ErrorState, Loading } from '#kit/ui/states.tsx'
import { ExportButton } from '#kit/list/ExportButton.tsx'
import { readTable } from '#kit/list/shownTable.ts'
import { Workers } from '../tasks/DirectBar.tsx'
import { kilometres } from './words.ts'

const RouteMap = lazy(() => loadChunk(async () => ({ default: (await import('./TownMap.tsx')).RouteMap })))

interface Ask {
  readonly hours: number
  readonly capacity: number
  readonly minutesMax: number
  readonly vehiclesMax: number
}

const choices: Readonly<Record<keyof Ask, readonly number[]>> = {
  hours: [2, 4, 6, 8, 12],
  capacity: [6, 10, 20, 30, 40],
  minutesMax: [60, 120, 180, 240, 480],
  vehiclesMax: [20, 40, 60, 100, 200, 300],
}
const stalePlans = [
  rebalancingEndpoints.listPlans,
  rebalancingEndpoints.planMoves,
  taskEndpoints.listTasks,
  taskEndpoints.searchTasks,
]
const keyOf = ({ from, to }: PlannedMove): string => `${from.fenceId}-${to.fenceId}`

/** What to carry now, the best first, and the van's way; what is chosen becomes tasks. */
export function PlanPanel({
  areaId,
  onAdopted,
}: {
  readonly areaId: number
  readonly onAdopted: () => void
}): ReactNode {
  const [ask, setAsk] = useState<Ask>({ hours: 6, capacity: 20, minutesMax: 180, vehiclesMax: 60 })
  const { data, error, refetch, isPlaceholderData, isFetching } = useEndpoint(
    rebalancingEndpoints.planMoves,
    { areaId, ...ask },
    { keepPrevious: true, staleMs: minuteMs },
  )
  const plan = data?.data
  return (
    <>
      <search className="filter-row" aria-label={t('方案条件')}>
        <Choice label={t('展望')} name="hours" ask={ask} onAsk={setAsk} unit={t('小时')} />
        <Choice label={t('车载量')} name="capacity" ask={ask} onAsk={setAsk} unit={t('辆/车')} />
        <Choice label={t('用时上限')} name="minutesMax" ask={ask} onAsk={setAsk} unit={t('分钟')} />
        <Choice label={t('车辆上限')} name="vehiclesMax" ask={ask} onAsk={setAsk} unit={t('辆')} />
        <Button disabled={isFetching} onClick={() => void refetch()}>
          {t('重新计算')}
        </Button>
      </search>
      {plan === undefined && error === null && <Loading />}
      {plan === undefined && error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {plan !== undefined && (
        <Plan key={plan.at} plan={plan} ask={ask} isBusy={isPlaceholderData} onAdopted={onAdopted} />
      )}
    </>
  )
}

interface ChoiceProps {
  readonly label: string
  readonly name: keyof Ask
  readonly ask: Ask
  readonly onAsk: (ask: Ask) => void
  readonly unit: string
}

function Choice({ label, name, ask, onAsk, unit }: ChoiceProps) {
  const options = choices[name].map((value) => ({ value, label: `${value} ${unit}` }))
  return (
    <One
      label={label}
      isRequired
      value={ask[name]}
      options={options}
      onChange={(value) => value !== undefined && onAsk({ ...ask, [name]: value })}
    />
  )
}

interface PlanProps {
  readonly plan: MovePlan
  readonly ask: Ask
  readonly isBusy: boolean
  readonly onAdopted: () => void
}

function Plan({ plan, ask, isBusy, onAdopted }: PlanProps) {
  const list = useHeldList(moves, { rows: plan.moves, selectedFirst: plan.moves })
  const chosenKeys = new Set(list.selectedKeys)
  const chosen = plan.moves.filter((move) => chosenKeys.has(keyOf(move)))
  const vehicles = chosen.reduce((sum, move) => sum + move.vehicles, 0)
  const gain = chosen.reduce((sum, move) => sum + move.gain, 0)
  const adopt = useAdopt(onAdopted)
  const [assigneeId, setAssignee] = useState<number | null>(null)
  const send = () => {
    const carried = chosen.map(({ from, to, vehicles: count }) => ({
      fromFenceId: from.fenceId,
      toFenceId: to.fenceId,
      vehicles: count,
    }))
    adopt.send({ areaId: plan.areaId, ...ask, moves: carried, ...(assigneeId !== null && { assigneeId }) })
  }
  if (plan.moves.length === 0) {
    return (
      <section className="page-card">
        <Empty
          title={t('现在没有值得挪的车')}
          text={t('未来 {{hours}} 小时，车辆停放的位置与预计的用车相符。', { hours: plan.hours })}
        />
      </section>
    )
  }
  return (
    <div className="rebalancing" aria-busy={isBusy}>
      <section className="page-card rebalancing-map">
        <Suspense fallback={<Loading />}>
          <RouteMap stops={plan.stops} />
        </Suspense>
      </section>
      <section className="page-card rebalancing-side" aria-label={t('调度路线')}>
        <Figures plan={plan} />
        <Workers areaIds={[plan.areaId]} value={assigneeId} onChange={setAssignee} label={t('派给谁（可不选）')} />
        <Button look="primary" disabled={vehicles === 0 || adopt.isBusy || isBusy} onClick={send}>
          {vehicles === 0
            ? t('请选择要采用的调度')
            : assigneeId === null
              ? t('为 {{count}} 辆车创建调度任务', { count: vehicles })
              : t('为 {{count}} 辆车创建任务并派出路线', { count: vehicles })}
        </Button>
        <p className="work-note">
          {t('所选调度预计挽回 {{gain}} 次骑行。采用后同处留下的车作为对照，结束后可对照实际效果。', {
            gain: gain.toFixed(1),
          })}
        </p>
        <Stops stops={plan.stops} />
      </section>
      <section className="page-card rebalancing-whole" aria-label={t('调度清单')}>
        <header className="work-bar">
          <strong>{t('调度清单')}</strong>
          <span className="work-note">{t('计算于 {{time}}', { time: dateTime(plan.at) })}</span>
          <ExportButton onExport={readTable('rebalancing-plan', tableOfPlan(plan))} />
        </header>
        <ListCard
          list={list}
          label={t('调度清单')}
          columns={columns}
          rowName={({ from, to }) => `${from.name} → ${to.name}`}
          selectable
        />
      </section>
    </div>
  )
}

/** Makes tasks of what was chosen; taking it back cancels them. */
function useAdopt(onAdopted: () => void) {
  const undo = useAction(taskEndpoints.cancelTasks, {
    stale: stalePlans,
    done: ({ data: { done } }) => t('已取消 {{count}} 个调度任务', { count: done.length }),
  })
  return useAction(rebalancingEndpoints.adoptPlan, {
    stale: stalePlans,
    onDone: ({ data: { taskIds } }) => {
      const text = t('已创建 {{count}} 个调度任务', { count: taskIds.length })
      const run = () => undo.send({ ids: taskIds, note: t('撤销采用的调度方案') })
      const action = { label: t('撤销'), run }
      notify.success(taskIds.length > taskBatchMax ? { text } : { text, action })
      onAdopted()
    },
  })
}

function Figures({ plan }: { readonly plan: MovePlan }) {
  const vehicles = plan.moves.reduce((sum, move) => sum + move.vehicles, 0)
  const saved = plan.lostBefore - plan.lostAfter
  return (
    <dl className="rebalancing-figures">
      <div>
        <dt>{t('预计损失')}</dt>
        <dd>
          {plan.lostBefore.toFixed(1)} → {plan.lostAfter.toFixed(1)} <small>{t('次')}</small>
        </dd>
      </div>
      <div>
        <dt>{t('预计挽回')}</dt>
        <dd data-tone="good">
          {saved.toFixed(1)} <small>{t('次')}</small>
        </dd>
      </div>
      <div>
        <dt>{t('调度车辆')}</dt>
        <dd>
          {vehicles} <small>{t('辆')}</small>
        </dd>
      </div>
      <div>
        <dt>{t('路线')}</dt>
        <dd>
          {kilometres(plan.distanceM)} <small>km</small>
        </dd>
      </div>
      <div>
        <dt>{t('预计用时')}</dt>
        <dd>
          {Math.round(plan.minutes)} <small>{t('分钟')}</small>
        </dd>
      </div>
    </dl>
  )
}

/** A place that is come back to is told apart by what was done there before. */
function numbered(stops: readonly PlanStop[]) {
  const visits = new Map<number, number>()
  return stops.map(({ fenceId, name, load }) => {
    const visit = (visits.get(fenceId) ?? 0) + 1
    visits.set(fenceId, visit)
    return { key: `${fenceId}-${visit}`, name, load }
  })
}

function Stops({ stops }: { readonly stops: readonly PlanStop[] }) {
  return (
    <ol className="rebalancing-stops" aria-label={t('停靠顺序')}>
      {numbered(stops).map(({ key, name, load }) => (
        <li key={key} data-takes={load > 0}>
          <span>{name}</span>
          <b>{load > 0 ? t('装 {{count}} 辆', { count: load }) : t('卸 {{count}} 辆', { count: -load })}</b>
        </li>
      ))}
    </ol>
  )
}

const place = (name: string) => (
  <Link to={`/data/station-statistics?filter=${encodeURIComponent(JSON.stringify({ name }))}`}>{name}</Link>
)

const columns = (): readonly ColumnSpec<PlannedMove>[] => [
  { key: 'from', title: t('从'), card: 'head', render: ({ from }) => place(from.name) },
  { key: 'fromStock', title: t('现有'), unit: t('辆'), numeric: true, render: ({ from }) => from.stock },
  { key: 'to', title: t('到'), card: 'head', render: ({ to }) => place(to.name) },
  { key: 'toStock', title: t('目的地现有'), unit: t('辆'), numeric: true, render: ({ to }) => to.stock },
  { key: 'vehicles', title: t('调度车辆'), numeric: true },
  { key: 'gain', title: t('预计挽回'), unit: t('次'), numeric: true, render: ({ gain }) => gain.toFixed(1) },
  {
    key: 'distanceM',
    title: t('路程'),
    unit: 'km',
    numeric: true,
    render: ({ distanceM }) => kilometres(distanceM),
  },
]

const moves = heldListOf<PlannedMove>({
  name: 'rebalancing-moves',
  fields: {},
  sorts: {
    gain: ['desc', ({ gain }) => gain],
    vehicles: ['desc', ({ vehicles }) => vehicles],
    distanceM: ['asc', ({ distanceM }) => distanceM],
  },
  rowKey: keyOf,
})

const tableOfPlan = ({ moves }: MovePlan) => ({
  titles: [t('从'), t('到'), t('调度车辆'), t('预计挽回(次)'), t('路程(km)')],
  rows: moves.map(({ from, to, vehicles, gain, distanceM }) => [
    from.name,
    to.name,
    vehicles,
    Number(gain.toFixed(2)),
    kilometres(distanceM),
  ]),
})
