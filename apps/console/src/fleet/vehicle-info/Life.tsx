import { useState, type ReactNode } from 'react'
import { commandKindLabels, commandStateLabels } from '@saddle/contract/fleet/commands.ts'
import {
  lifeCauseLabels,
  lifeEndpoints,
  lifeKindLabels,
  lifeKinds,
  vehicleEventLabels,
  type LifeEntry,
  type LifeKind,
} from '@saddle/contract/fleet/life.ts'
import { alarmKindLabels, vehicleStateLabels } from '@saddle/contract/fleet/vehicles.ts'
import { taskKindLabels, taskSourceLabels, taskStateLabels } from '@saddle/contract/operations/tasks.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Pager } from '#kit/list/Pager.tsx'
import { usePages } from '#kit/list/usePages.ts'
import { useEndpoint } from '#kit/query.ts'
import { Empty, ErrorState, Loading } from '#kit/ui/states.tsx'

const pageSize = 30

/** Everything that ever became of a vehicle, the newest first. */
export function Life({ vehicleId }: { vehicleId: number }): ReactNode {
  const [kinds, setKinds] = useState<readonly LifeKind[]>([])
  const pages = usePages(`${vehicleId}|${kinds.join()}`)
  const input = {
    vehicleId,
    pageSize,
    ...(kinds.length > 0 && { kinds: [...kinds] }),
    ...(pages.cursor !== undefined && { cursor: pages.cursor }),
  }
  const { data, error, isPlaceholderData, refetch } = useEndpoint(lifeEndpoints.vehicleLife, input, {
    keepPrevious: true,
  })
  const page = data?.data
  const toggle = (kind: LifeKind) =>
    setKinds(
      kinds.includes(kind)
        ? kinds.filter((one) => one !== kind)
        : lifeKinds.filter((one) => one === kind || kinds.includes(one)),
    )
  return (
    <section className="page-card">
      <h2>{t('经历')}</h2>
      <fieldset className="vi-kinds" aria-label={t('按种类筛选')}>
        {lifeKinds.map((kind) => (
          <button key={kind} type="button" aria-pressed={kinds.includes(kind)} onClick={() => toggle(kind)}>
            {t(lifeKindLabels[kind])}
          </button>
        ))}
      </fieldset>
      {page === undefined ? (
        error === null ? (
          <Loading />
        ) : (
          <ErrorState error={error} onRetry={() => void refetch()} />
        )
      ) : page.list.length === 0 ? (
        <Empty title={t('没有这类记录')} />
      ) : (
        <ol className="vi-life" aria-busy={isPlaceholderData}>
          {page.list.map((entry) => (
            <li key={keyOf(entry)} data-kind={entry.kind}>
              <time>{dateTime(entry.at)}</time>
              <span className="vi-kind">{t(lifeKindLabels[entry.kind])}</span>
              <p>{wordsOf(entry)}</p>
            </li>
          ))}
        </ol>
      )}
      <Pager
        page={pages.page}
        hasNext={page?.nextCursor !== null && page !== undefined}
        count={null}
        busy={isPlaceholderData}
        onPrevious={pages.previous}
        onNext={() => pages.next(page?.nextCursor ?? null)}
      />
    </section>
  )
}

/** No two things of one kind happen to a vehicle in one instant, but for commands that were given together. */
const keyOf = (entry: LifeEntry): string =>
  `${entry.kind}-${entry.at}-${entry.kind === 'command' ? entry.command.id : entry.kind === 'task' ? entry.taskId : ''}${entry.kind === 'alarm' ? entry.alarm : entry.kind === 'event' ? entry.event : ''}`

const join = (...parts: (string | null)[]): string => parts.filter((part) => part !== null && part !== '').join(' · ')

function wordsOf(entry: LifeEntry): string {
  switch (entry.kind) {
    case 'event': {
      const change =
        entry.from === entry.to ? null : `${t(vehicleStateLabels[entry.from])} → ${t(vehicleStateLabels[entry.to])}`
      return join(
        t(vehicleEventLabels[entry.event] ?? entry.event),
        change,
        t(lifeCauseLabels[entry.cause] ?? entry.cause),
      )
    }
    case 'command': {
      const { command } = entry
      const state = t(commandStateLabels[command.state])
      return join(
        t(commandKindLabels[command.kind]),
        state,
        command.operatorName,
        command.reason,
        command.failure && t(command.failure),
      )
    }
    case 'alarm': {
      const end = entry.closedAt === null ? t('未关闭') : t('{{at}} 关闭', { at: dateTime(entry.closedAt) })
      const times = entry.times > 1 ? t('重复 {{times}} 次', { times: entry.times }) : null
      return join(t(alarmKindLabels[entry.alarm] ?? entry.alarm), end, times, entry.fixedBy, entry.note)
    }
    case 'task': {
      const end = entry.doneAt === null ? null : dateTime(entry.doneAt)
      const what = join(
        t(taskKindLabels[entry.task]),
        t(taskStateLabels[entry.state]),
        t(taskSourceLabels[entry.source]),
      )
      return join(what, entry.personName, end, entry.note)
    }
    case 'trip': {
      const { trip } = entry
      const length = trip.distanceM === null ? null : `${(trip.distanceM / 1000).toFixed(2)} km`
      const minutes = t('{{minutes}} 分钟', { minutes: Math.round(trip.durationSeconds / 60) })
      return join(trip.endedAt === null ? t('骑行中') : minutes, length)
    }
  }
}
