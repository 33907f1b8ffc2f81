import { useEffect, useState, useSyncExternalStore } from 'react'
import type { Task } from '@saddle/contract/operations/taskCalls.ts'
import { taskEndpoints } from '@saddle/contract/operations/taskCalls.ts'
import { useEndpoint } from '#kit/query.ts'
import { currentSession } from '#kit/session/store.ts'
import { fieldStore } from './outbox.ts'
import type { Kept } from './queue/database.ts'
import type { Point } from './rules.ts'

const refreshEveryMs = 30_000
const pageSize = 100
/** What lies longer is of no use to anybody. */
const keptForMs = 3 * 24 * 3_600_000

export interface FieldTasks {
  readonly mine: readonly Task[]
  readonly open: readonly Task[]
}

export interface Field {
  /** Undefined until something is known. */
  readonly tasks: FieldTasks | undefined
  /** When it was true; null: just now. */
  readonly keptAt: number | null
  readonly error: unknown
  readonly refresh: () => void
}

/** My tasks and those nearby: from the server, or as they were when there was a line. */
export function useFieldTasks(at: Point | null): Field {
  const near = at === null ? {} : { sort: 'near' as const, near: { lat: round(at.lat), lng: round(at.lng) } }
  const options = { keepPrevious: true, refetchIntervalMs: refreshEveryMs, quiet: true }
  const mine = useEndpoint(
    taskEndpoints.listTasks,
    { filter: { mine: true, states: ['claimed', 'on_site'] }, sort: 'due', pageSize },
    options,
  )
  const open = useEndpoint(
    taskEndpoints.listTasks,
    { filter: { states: ['open'] }, sort: 'due', ...near, pageSize },
    options,
  )
  const kept = useKept()
  const isOnline = useOnline()
  const [mineList, openList] = [mine.data?.data.list, open.data?.data.list]
  useEffect(() => {
    const owner = currentSession()?.opManId
    if (owner === undefined || mineList === undefined || openList === undefined) return
    const value: FieldTasks = { mine: mineList, open: openList }
    // Without room on the disk the page works as long as it is open.
    void fieldStore.keepTasks(owner, { at: Date.now(), value }).catch(() => null)
  }, [mineList, openList])
  const refresh = () => void Promise.all([mine.refetch(), open.refetch()])
  const isFresh = isOnline && mine.error === null && open.error === null
  if (mineList !== undefined && openList !== undefined) {
    const at = Math.min(mine.dataUpdatedAt, open.dataUpdatedAt)
    return { tasks: { mine: mineList, open: openList }, keptAt: isFresh ? null : at, error: null, refresh }
  }
  const old = kept === null ? undefined : (kept.value as FieldTasks)
  return { tasks: old, keptAt: kept?.at ?? null, error: old === undefined ? (mine.error ?? open.error) : null, refresh }
}

/** A question that changes with every step would never be answered from what is known: some ten metres are one place. */
const round = (degrees: number): number => Math.round(degrees * 2_000) / 2_000

function useKept(): Kept | null {
  const [kept, setKept] = useState<Kept | null>(null)
  useEffect(() => {
    const owner = currentSession()?.opManId
    if (owner === undefined) return
    let isCurrent = true
    void fieldStore
      .tasks(owner)
      .then((found) => {
        const isUseful = found !== null && Date.now() - found.at < keptForMs
        if (isCurrent && isUseful) setKept(found)
        return null
      })
      .catch(() => null)
    return () => {
      isCurrent = false
    }
  }, [])
  return kept
}

/** Where the phone is; null while it does not say. */
export function usePosition(): Point | null {
  const [point, setPoint] = useState<Point | null>(null)
  useEffect(() => {
    // Missing on plain-http addresses of a local network.
    const locator: Geolocation | undefined = 'geolocation' in navigator ? navigator.geolocation : undefined
    if (locator === undefined) return
    const watch = locator.watchPosition(
      ({ coords }) => setPoint({ lat: coords.latitude, lng: coords.longitude }),
      () => {},
      { enableHighAccuracy: true, maximumAge: 30_000 },
    )
    return () => locator.clearWatch(watch)
  }, [])
  return point
}

const watchLine = (listener: () => void): (() => void) => {
  addEventListener('online', listener)
  addEventListener('offline', listener)
  return () => {
    removeEventListener('online', listener)
    removeEventListener('offline', listener)
  }
}
export const useOnline = (): boolean => useSyncExternalStore(watchLine, () => navigator.onLine)

/** Keeps the page for places without a line. Browsers take a worker only over https or on the machine itself. */
export function useOfflinePage(): void {
  useEffect(() => {
    if (import.meta.env.DEV || !('serviceWorker' in navigator)) return
    void navigator.serviceWorker.register('/sw.js', { scope: '/console/' }).catch(() => null)
  }, [])
}

/** The clock, every so often: how late a task is changes while nobody touches the page. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
