import { QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useMemo, type ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import type { Task } from '@saddle/contract/operations/tasks.ts'
import { taskKindLabels, taskKinds, type TaskKind } from '@saddle/contract/operations/taskWords.ts'
import { planeM, type LatLng } from '@saddle/geo/earth.ts'
import { dateTime, distanceText } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { queryClient } from '#kit/query.ts'
import { Empty, ErrorState, Loading } from '#kit/ui/states.tsx'
import { onDemand } from '#kit/onDemand.tsx'
import type { ShownTask } from './shownTask.ts'
import { startOutbox, useSent, useSteps } from './outbox.ts'
import { QueuePanel } from './QueuePanel.tsx'
import { stateWith } from './queue/rules.ts'
import { lengthOf, placeOf, routeOf } from './rules.ts'
import { ScanPanel } from './ScanPanel.tsx'
import { TaskCard } from './TaskCard.tsx'
import { Tours } from './Tour.tsx'
import { TaskPanel } from './TaskPanel.tsx'
import { useFieldTasks, useNow, useOfflinePage, useOnline, usePosition, useRepairChoices } from './useField.ts'
import './field.css'

const tabs = ['mine', 'near', 'map', 'scan'] as const
type Tab = (typeof tabs)[number]
const clockMs = 30_000

const FieldMap = onDemand(
  () => import('./FieldMap.tsx'),
  () => {},
)

/** Field work, for one-handed use and a bad connection. It is outside the shell, so that it opens offline. */
export default function FieldPage(): ReactNode {
  return (
    <QueryClientProvider client={queryClient}>
      <Field />
    </QueryClientProvider>
  )
}

function Field() {
  useOfflinePage()
  useEffect(startOutbox, [])
  const [params, setParams] = useSearchParams()
  const here = usePosition()
  const { tasks, keptAt, error, refresh } = useFieldTasks(here)
  const { mine, open } = useShown(tasks, here)
  // Fetched while online, for repairs that are done offline.
  useRepairChoices(
    [...mine, ...open].find(({ task }) => task.kind === 'repair' || task.kind === 'inspect')?.task.agentId ?? null,
  )
  const now = useNow(clockMs)
  const tab = tabs.find((one) => one === params.get('tab')) ?? 'mine'
  const chosen = [...mine, ...open].find(({ task }) => String(task.id) === params.get('task'))
  const kind = taskKinds.find((one) => one === params.get('kind')) ?? null
  const near = kind === null ? open : open.filter(({ task }) => task.kind === kind)
  const go = (next: Readonly<Record<string, string>>) => setParams(next)
  const choose = (task: Task) => go({ tab, task: String(task.id) })
  const route = useMemo(() => orderOf(mine, here), [mine, here])
  let body: ReactNode
  if (params.get('panel') === 'queue') body = <QueuePanel onClose={() => go({ tab })} />
  else if (chosen !== undefined)
    body = <TaskPanel key={chosen.task.id} shown={chosen} here={here} now={now} onClose={() => go({ tab })} />
  else if (tasks === undefined)
    body = error === null ? <Loading size="page" /> : <ErrorState error={error} size="page" onRetry={refresh} />
  else if (tab === 'map') body = <FieldMap mine={route.list} open={near} here={here} now={now} onChoose={choose} />
  else if (tab === 'scan') body = <ScanPanel shown={[...mine, ...open]} onChoose={choose} />
  else if (tab === 'near') body = <NearList isPlaced={here !== null} list={near} now={now} onChoose={choose} />
  else body = <MineList route={route} now={now} onChoose={choose} onNear={() => go({ tab: 'near' })} />
  return (
    <div className="field">
      <Head
        isFirst={chosen === undefined && params.get('panel') === null}
        keptAt={keptAt}
        onQueue={() => go({ tab, panel: 'queue' })}
        onRefresh={refresh}
      />
      {(tab === 'near' || tab === 'map') && chosen === undefined && params.get('panel') === null && (
        <Kinds open={open} kind={kind} onKind={(next) => go({ tab, ...(next !== null && { kind: next }) })} />
      )}
      <div className="field-body">{body}</div>
      <Tabs tab={tab} mine={mine.length} open={open.length} onTab={(next) => go({ tab: next })} />
    </div>
  )
}

function useShown(tasks: ReturnType<typeof useFieldTasks>['tasks'], here: LatLng | null) {
  const steps = useSteps()
  return useMemo(() => {
    const known = new Map([...(tasks?.mine ?? []), ...(tasks?.open ?? [])].map((task) => [task.id, task]))
    const all = [...known.values()].map((task): ShownTask => {
      const own = steps.filter((step) => step.taskId === task.id)
      const place = placeOf(task)
      return {
        task,
        state: stateWith(task.state, own),
        isWaiting: own.length > 0,
        isRefused: own.some((step) => step.state === 'refused'),
        metres: here === null || place === null ? task.distanceM : planeM(here, place),
      }
    })
    const near = (a: ShownTask, b: ShownTask): number => (a.metres ?? Infinity) - (b.metres ?? Infinity)
    return {
      mine: all.filter(({ state }) => state === 'claimed' || state === 'on_site'),
      open: all.filter(({ state }) => state === 'open').toSorted(near),
    }
  }, [tasks, steps, here])
}

interface Route {
  readonly list: readonly ShownTask[]
  readonly metres: number
}

/** What is begun comes first; then the way that is shortest. */
function orderOf(mine: readonly ShownTask[], here: LatLng | null): Route {
  const placed = mine.filter(({ task }) => placeOf(task) !== null)
  const stops = placed.flatMap(({ task }) => placeOf(task) ?? [])
  const order = routeOf(here, stops)
  const list = order.flatMap((index) => placed[index] ?? [])
  const way = order.flatMap((index) => stops[index] ?? [])
  return { list: [...list, ...mine.filter(({ task }) => placeOf(task) === null)], metres: lengthOf(here, way) }
}

interface HeadProps {
  /** Nothing is open that has a way back of its own. */
  readonly isFirst: boolean
  readonly keptAt: number | null
  readonly onQueue: () => void
  readonly onRefresh: () => void
}

function Head({ isFirst, keptAt, onQueue, onRefresh }: HeadProps) {
  const steps = useSteps()
  const isOnline = useOnline()
  const sent = useSent().length
  const refused = steps.filter((step) => step.state === 'refused').length
  return (
    <header className="field-head">
      {/* Without a line nothing is behind it, and an installed page has no other way back. */}
      {isOnline && isFirst && (
        <Link to="/log" aria-label={t('返回后台')} className="field-back">
          ‹
        </Link>
      )}
      <h1>{t('现场作业')}</h1>
      <span className="field-line" data-online={isOnline}>
        {isOnline ? t('在线') : t('离线')}
      </span>
      {(steps.length > 0 || sent > 0) && (
        <button
          type="button"
          className="field-queue"
          data-empty={steps.length === 0}
          data-refused={refused > 0}
          onClick={onQueue}
        >
          {steps.length === 0
            ? t('已发送 {{count}} 项', { count: sent })
            : refused > 0
              ? t('{{count}} 项未被接受', { count: refused })
              : t('{{count}} 项待发送', { count: steps.length })}
        </button>
      )}
      <button type="button" className="field-refresh" aria-label={t('刷新')} onClick={onRefresh}>
        ↻
      </button>
      {keptAt !== null && (
        <output className="field-kept">{t('当前没有网络，列表截至 {{at}}', { at: dateTime(keptAt) })}</output>
      )}
    </header>
  )
}

interface KindsProps {
  readonly open: readonly ShownTask[]
  readonly kind: TaskKind | null
  readonly onKind: (kind: TaskKind | null) => void
}

/** A worker with a van full of batteries looks for swaps only. */
function Kinds({ open, kind, onKind }: KindsProps) {
  const counts = taskKinds
    .map((one) => ({ one, count: open.filter(({ task }) => task.kind === one).length }))
    .filter(({ one, count }) => count > 0 || one === kind)
  if (counts.length < 2 && kind === null) return null
  return (
    <nav className="field-kinds" aria-label={t('任务类型')}>
      <button type="button" aria-pressed={kind === null} onClick={() => onKind(null)}>
        {t('全部 {{count}}', { count: open.length })}
      </button>
      {counts.map(({ one, count }) => (
        <button key={one} type="button" aria-pressed={kind === one} onClick={() => onKind(one)}>
          {t(taskKindLabels[one])} {count}
        </button>
      ))}
    </nav>
  )
}

interface ListProps {
  readonly now: number
  readonly onChoose: (task: Task) => void
}

function MineList({
  route,
  now,
  onChoose,
  onNear,
}: ListProps & { readonly route: Route; readonly onNear: () => void }) {
  if (route.list.length === 0) {
    return (
      <Empty
        size="page"
        title={t('您手上没有任务')}
        action={
          <Button look="primary" onClick={onNear}>
            {t('查看附近任务')}
          </Button>
        }
      />
    )
  }
  const open = (taskId: number) => {
    const found = route.list.find(({ task }) => task.id === taskId)
    if (found !== undefined) onChoose(found.task)
  }
  return (
    <>
      <Tours onOpen={open} />
      <p className="field-route">
        {t('按路线排列，共 {{count}} 个任务，约 {{length}}', {
          count: route.list.length,
          length: distanceText(route.metres),
        })}
      </p>
      <ol className="field-cards" aria-label={t('我的任务')}>
        {route.list.map((shown, index) => (
          <TaskCard key={shown.task.id} shown={shown} stop={index + 1} now={now} onChoose={onChoose} />
        ))}
      </ol>
    </>
  )
}

interface NearProps extends ListProps {
  readonly list: readonly ShownTask[]
  readonly isPlaced: boolean
}

function NearList({ list, isPlaced, now, onChoose }: NearProps) {
  if (list.length === 0) return <Empty size="page" title={t('附近没有待领取的任务')} />
  return (
    <>
      {!isPlaced && <p className="field-route">{t('没有定位，按期限排列；允许定位后按远近排列')}</p>}
      <ol className="field-cards" aria-label={t('附近任务')}>
        {list.map((shown) => (
          <TaskCard key={shown.task.id} shown={shown} now={now} onChoose={onChoose} />
        ))}
      </ol>
    </>
  )
}

interface TabsProps {
  readonly tab: Tab
  readonly mine: number
  readonly open: number
  readonly onTab: (tab: Tab) => void
}

function Tabs({ tab, mine, open, onTab }: TabsProps) {
  const words: Readonly<Record<Tab, string>> = {
    mine: t('我的 {{count}}', { count: mine }),
    near: t('附近 {{count}}', { count: open }),
    map: t('地图'),
    scan: t('扫码'),
  }
  return (
    <nav className="field-tabs" aria-label={t('现场作业')}>
      {tabs.map((one) => (
        <button key={one} type="button" aria-current={one === tab ? 'page' : undefined} onClick={() => onTab(one)}>
          {words[one]}
        </button>
      ))}
    </nav>
  )
}
