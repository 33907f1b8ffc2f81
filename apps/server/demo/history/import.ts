import { join } from 'node:path'
import type { HistoryManifest } from '@saddle/contract/demo/history.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { fleetTopics, type Fleet } from '#fleet/public.ts'
import type { Kit } from '#kit/kit.ts'
import { readManifest, readStreams, removeFile, type HistoryStreams } from './files.ts'
import { applyStatus, begin, idsOfDay, insertDay, readProgress, type FirstIds } from './store.ts'

type ImportKit = Pick<Kit, 'db' | 'clock' | 'bus' | 'log'>

export type HistoryImport = {
  /** Resolves when the vehicles are where the history left them, or when there is no history to wait for. */
  readonly ready: Promise<void>
  /** Resolves when the import is complete, or when no more files will follow; to false when it was stopped before. */
  readonly done: Promise<boolean>
  /** Stops after the day that is being imported; the next start continues with the following one. */
  stop(): Promise<void>
}

const lookEveryMs = 500
/** The simulator writes the history while the server starts; after this time no history is expected. */
const lookForMs = 5 * minuteMs
const pageSize = 1_000

/**
 * Reads the demo's past from a folder that the simulator fills: the state at its end with the last day, then the days
 * before, newest first, each in one transaction. Safe to kill at any moment, and to run on several servers.
 */
export function startHistoryImport(options: {
  kit: ImportKit
  fleet: Pick<Fleet, 'vehicles' | 'makeBooks'>
  folder: string
  /** Called when there is a history, before anything of it is read in. */
  onFound: () => void
}): HistoryImport {
  const { kit, fleet, folder, onFound } = options
  const abort = new AbortController()
  const { promise: ready, resolve: isReady } = Promise.withResolvers<void>()
  const run = async (): Promise<void> => {
    const manifest = await waitForManifest({ folder, signal: abort.signal })
    if (manifest === null) return
    onFound()
    const days = await importHistory({ kit, fleet, folder, manifest, signal: abort.signal, onState: isReady })
    if (days > 0 && !abort.signal.aborted) await fleet.makeBooks()
  }
  const running = run()
    .catch((err: unknown) => kit.log.error({ err }, 'the past of the demo could not be read in'))
    .finally(isReady)
  return {
    ready,
    done: running.then(() => !abort.signal.aborted),
    stop: async () => {
      abort.abort()
      await running
    },
  }
}

async function waitForManifest(options: { folder: string; signal: AbortSignal }): Promise<HistoryManifest | null> {
  const until = performance.now() + lookForMs
  while (!options.signal.aborted && performance.now() < until) {
    const manifest = await readManifest(options.folder)
    if (manifest !== null) return manifest
    await pause(lookEveryMs, options.signal)
  }
  return null
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end, { once: true })
  })
}

/** Reads in what is not yet there; `onState` is called once the vehicles stand where the history left them. */
export async function importHistory(options: {
  kit: ImportKit
  fleet: Pick<Fleet, 'vehicles'>
  folder: string
  manifest: HistoryManifest
  signal?: AbortSignal
  onState?: () => void
}): Promise<number> {
  const { kit, fleet, folder, manifest, signal, onState } = options
  const startedAt = kit.clock.now()
  const progress = await readProgress(kit.db, manifest.endedAt)
  let { firstIds } = progress
  if (firstIds === null) {
    // Another history was imported before: its days exist, and the days of this one would overlap the present.
    if (progress.days.size > 0) return 0
    firstIds = await importEnd({ kit, folder, manifest })
    if (firstIds === null) return 0
    await publishAll({ kit, fleet })
  }
  onState?.()
  const { days } = await readProgress(kit.db, manifest.endedAt)
  let count = progress.firstIds === null ? 1 : 0
  for (const { day, file } of manifest.days.toReversed()) {
    if (signal?.aborted) return count
    if (!days.has(day)) {
      const streams = await readStreams(join(folder, file))
      if (streams === null) continue
      await importDay({ kit, manifest, firstIds, day, streams })
      count++
    }
    await removeFile(join(folder, file))
  }
  await removeFile(join(folder, manifest.state))
  if (count > 0) kit.log.info({ days: count, ms: kit.clock.now() - startedAt }, 'the past of the demo was read in')
  return count
}

/** Imports the final state and the last day in one transaction, so that no reader sees a ride without its end. */
async function importEnd(options: {
  kit: ImportKit
  folder: string
  manifest: HistoryManifest
}): Promise<FirstIds | null> {
  const { kit, folder, manifest } = options
  const last = manifest.days.at(-1)
  const state = await readStreams(join(folder, manifest.state))
  const streams = last === undefined ? null : await readStreams(join(folder, last.file))
  if (last === undefined || state === null || streams === null) {
    kit.log.warn('the past of the demo is not complete and is left out')
    return null
  }
  return kit.db.system(async (tx) => {
    const firstIds = await begin(tx, manifest, kit.clock.now())
    await insertDay(kit.db, tx, {
      streams,
      day: last.day,
      firstIds: idsOfDay(manifest, firstIds, last.day),
      vehicles: manifest.vehicles,
      nowMs: kit.clock.now(),
    })
    await applyStatus(kit.db, tx, state)
    return firstIds
  })
}

async function importDay(options: {
  kit: ImportKit
  manifest: HistoryManifest
  firstIds: FirstIds
  day: string
  streams: HistoryStreams
}): Promise<void> {
  const { kit, manifest, firstIds, day, streams } = options
  await kit.db.system((tx) =>
    insertDay(kit.db, tx, {
      streams,
      day,
      firstIds: idsOfDay(manifest, firstIds, day),
      vehicles: manifest.vehicles,
      nowMs: kit.clock.now(),
    }),
  )
}

/** Tells the live index where everything is now. */
async function publishAll(options: { kit: ImportKit; fleet: Pick<Fleet, 'vehicles'> }): Promise<void> {
  const { kit, fleet } = options
  for (let afterId = 0; ;) {
    const vehicles = await fleet.vehicles.page({ afterId, limit: pageSize })
    if (vehicles.length > 0) kit.bus.publish(fleetTopics.vehicle, vehicles)
    const last = vehicles.at(-1)
    if (last === undefined || vehicles.length < pageSize) return
    afterId = last.vehicleId
  }
}
