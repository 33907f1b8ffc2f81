import { useCallback, useMemo, useState, type ReactNode } from 'react'
import { taskBatchMax, taskEndpoints, type Task, type TaskFilter } from '@saddle/contract/operations/tasks.ts'
import { taskKindLabels, taskKinds } from '@saddle/contract/operations/taskWords.ts'
import { serverNow } from '#kit/clock.ts'
import { number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import FocusMap from '#kit/map/FocusMap.tsx'
import { GeoLayers } from '#kit/map/GeoLayers.tsx'
import { Lasso } from '#kit/map/lasso/Lasso.tsx'
import { isInside, type Corner } from '#kit/map/lasso/polygon.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { useTheme } from '#kit/theme/settings.ts'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { DirectBar } from './DirectBar.tsx'
import { isOver } from './list.ts'
import { boxOf, colourOf, featuresOf, isLate, layersOf, placeOf } from './taskLayers.ts'

const refreshEveryMs = 20_000

interface Props {
  readonly filter: TaskFilter
  readonly onShow: (id: number) => void
}

/** Unfinished tasks on the map: by kind, overdue ones in red, the way to the destination; drawn around, they are handed out. */
export default function TaskMap({ filter, onShow }: Props): ReactNode {
  const theme = useTheme().appearance
  const states = filter.states ?? (['open', 'claimed', 'on_site'] as const)
  const { data, error, refetch } = useEndpoint(
    taskEndpoints.mapTasks,
    { filter: { ...filter, states: [...states] } },
    { keepPrevious: true, refetchIntervalMs: refreshEveryMs },
  )
  const list = data?.data.list
  const [corners, setCorners] = useState<readonly Corner[] | null>(null)
  const onCorner = useCallback((corner: Corner) => setCorners((before) => [...(before ?? []), corner]), [])
  const nowMs = serverNow()
  const features = useMemo(() => featuresOf(list ?? [], nowMs), [list, nowMs])
  const layers = useMemo(() => layersOf(theme), [theme])
  const focus = useMemo(() => boxOf(list ?? []), [list])
  const pick = useCallback((found: Readonly<Record<string, unknown>>) => onShow(Number(found['task'])), [onShow])
  if (list === undefined)
    return error === null ? <Loading /> : <ErrorState error={error} onRetry={() => void refetch()} />
  const inside = corners === null || corners.length < 3 ? [] : list.filter((task) => isWithin(task, corners))
  const late = list.filter((task) => isLate(task, nowMs)).length
  return (
    <section className="page-card task-map" aria-label={t('任务地图')}>
      <div className="task-map-stage">
        <FocusMap label={t('任务地图')} focus={focus}>
          <GeoLayers id="tasks" data={features} layers={layers} {...(corners === null && { onPick: pick })} />
          {corners !== null && <Lasso corners={corners} drawing theme={theme} onCorner={onCorner} />}
        </FocusMap>
      </div>
      <footer className="task-map-foot">
        <span>
          {t('{{count}} 个任务', { count: list.length })}
          {late > 0 && <b className="work-late"> {t('{{number}} 个超时', { number: number(late) })}</b>}
          {data?.data.isCut === true && t('（只显示最紧急的）')}
        </span>
        <ul aria-label={t('图例')}>
          {taskKinds.map((kind) => (
            <li key={kind}>
              <i style={{ background: colourOf(kind, theme) }} aria-hidden="true" />
              {t(taskKindLabels[kind])} <b>{list.filter((task) => task.kind === kind).length}</b>
            </li>
          ))}
        </ul>
        {corners === null ? (
          <Button onClick={() => setCorners([])}>{t('框选')}</Button>
        ) : (
          <>
            <output>
              {corners.length < 3
                ? t('在地图上依次点出要框选的范围')
                : t('框内 {{count}} 个任务', { count: inside.length })}
            </output>
            <Button look="quiet" disabled={corners.length === 0} onClick={() => setCorners(corners.slice(0, -1))}>
              {t('撤销上一点')}
            </Button>
            <Button look="quiet" onClick={() => setCorners(null)}>
              {t('取消')}
            </Button>
          </>
        )}
      </footer>
      {inside.some((task) => !isOver(task)) && (
        <DirectBar tasks={inside.slice(0, taskBatchMax)} onDone={() => setCorners(null)} />
      )}
    </section>
  )
}

function isWithin(task: Task, corners: readonly Corner[]): boolean {
  const place = placeOf(task)
  return place !== null && isInside(corners, place)
}
