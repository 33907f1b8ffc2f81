import { useEffect, useState, useSyncExternalStore } from 'react'
import { z } from 'zod'
import { repairConfigEndpoints } from '@saddle/contract/operations/repairConfig.ts'
import { taskEndpoints, taskSchema } from '@saddle/contract/operations/tasks.ts'
import { dayMs } from '@saddle/contract/time.ts'
import { type LatLng } from '@saddle/geo/earth.ts'
import { useEndpoint } from '#kit/query.ts'
import { currentSession } from '#kit/session/store.ts'
import { fieldStore } from './outbox.ts'

const refreshEveryMs = 30_000
const pageSize = 100
/** Stored data older than this is not useful. */
const keptForMs = 3 * dayMs

const tasksSchema = z.object({ mine: z.array(taskSchema), open: z.array(taskSchema) })
export type FieldTasks = Readonly<z.infer<typeof tasksSchema>>
const choicesSchema = repairConfigEndpoints.repairConfig.output.shape.data.pick({ reasons: true, parts: true })
/** What a repair may have been, and what may have gone into it. */
export type RepairChoices = Readonly<z.infer<typeof choicesSchema>>

export interface Field {
  /** Undefined until something is known. */
  readonly tasks: FieldTasks | undefined
  /** When it was true; null: just now. */
  readonly keptAt: number | null
  readonly error: unknown
  readonly refresh: () => void
}

/** My tasks and those nearby: from the server, or the last known ones when offline. */
export function useFieldTasks(at: LatLng | null): Field {
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
  const isOnline = useOnline()
  const [mineList, openList] = [mine.data?.data.list, open.data?.data.list]
  const kept = useKept(tasksName, tasksSchema)
  useEffect(() => {
    if (mineList !== undefined && openList !== undefined) keep(tasksName, { mine: mineList, open: openList })
  }, [mineList, openList])
  const refresh = () => void Promise.all([mine.refetch(), open.refetch()])
  const isFresh = isOnline && mine.error === null && open.error === null
  if (mineList !== undefined && openList !== undefined) {
    const at = Math.min(mine.dataUpdatedAt, open.dataUpdatedAt)
    return { tasks: { mine: mineList, open: openList }, keptAt: isFresh ? null : at, error: null, refresh }
  }
  const old = kept?.value
  return { tasks: old, keptAt: kept?.at ?? null, error: old === undefined ? (mine.error ?? open.error) : null, refresh }
}

/** A question that changes with every step would never be answered from what is known: some ten metres are one place. */
const round = (degrees: number): number => Math.round(degrees * 2_000) / 2_000

const tasksName = 'tasks'
const choicesName = (agentId: number): string => `repair ${agentId}`
const choicesStaleMs = 600_000

/** Reasons and parts of a company: from the server, or the last known ones when offline. Null: no company. */
export function useRepairChoices(agentId: number | null): RepairChoices | undefined {
  const { data } = useEndpoint(
    repairConfigEndpoints.repairConfig,
    { agentId: agentId ?? 0 },
    { enabled: agentId !== null, staleMs: choicesStaleMs, quiet: true },
  )
  const fresh = data?.data
  const kept = useKept(agentId === null ? null : choicesName(agentId), choicesSchema)
  useEffect(() => {
    if (agentId !== null && fresh !== undefined) keep(choicesName(agentId), fresh)
  }, [agentId, fresh])
  return fresh ?? kept?.value
}

/** Without disk space the page still works while it is open. */
function keep(name: string, value: unknown): void {
  const owner = currentSession()?.opManId
  if (owner === undefined) return
  void fieldStore.keep(`${owner} ${name}`, { at: Date.now(), value }).catch(() => null)
}

interface KeptAs<T> {
  readonly name: string
  readonly at: number
  readonly value: T
}

/** What was kept under a name; an earlier build may have kept it in another form, which is of no use. */
function useKept<T>(name: string | null, schema: z.ZodType<T>): KeptAs<T> | null {
  const [kept, setKept] = useState<KeptAs<T> | null>(null)
  useEffect(() => {
    const owner = currentSession()?.opManId
    if (owner === undefined || name === null) return
    let isCurrent = true
    void fieldStore
      .kept(`${owner} ${name}`)
      .then((found) => {
        const value = schema.safeParse(found?.value).data
        const isUseful = found !== null && value !== undefined && Date.now() - found.at < keptForMs
        if (isCurrent && isUseful) setKept({ name, at: found.at, value })
        return null
      })
      .catch(() => null)
    return () => {
      isCurrent = false
    }
  }, [name, schema])
  return kept?.name === name ? kept : null
}

/** Where the phone is; null while it does not say. */
export function usePosition(): LatLng | null {
  const [point, setPoint] = useState<LatLng | null>(null)
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

/** Keeps the page for offline use. Browsers take a worker only over https or on the machine itself. */
export function useOfflinePage(): void {
  useEffect(() => {
    if (import.meta.env.DEV || !('serviceWorker' in navigator)) return
    void navigator.serviceWorker.register('/sw.js', { scope: '/console/' }).catch(() => null)
  }, [])
}

/** The current time, updated regularly: a task's delay changes without any user action. */
export function useNow(everyMs: number): number {
  const [now, setNow] = useState(() => Date.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [everyMs])
  return now
}
