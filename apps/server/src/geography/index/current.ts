import type { Fence } from '@saddle/contract/geography/fences.ts'
import { sql, type CompiledQuery, type RawBuilder } from 'kysely'
import { hourMs, minuteMs } from '@saddle/contract/time.ts'
import type { Clock } from '#kit/clock.ts'
import type { Database, Tx } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf } from '#kit/db/rows.ts'
import { fenceOf, fenceRow } from '../fences/rows.ts'
import type { Log } from '#kit/log.ts'
import { createFenceIndex, type FenceIndex, type IndexedShape } from './fenceIndex.ts'
import { nearestOf, type Nearest } from './nearest.ts'

type Ring = readonly (readonly [lng: number, lat: number])[]
type Place = { readonly lat: number; readonly lng: number }

/** The fences of a service area that are in force, ready to be asked. */
export type AreaFences = {
  readonly parking: readonly Fence[]
  readonly noStop: readonly Fence[]
  /** The area's outline. */
  readonly ring: Ring
  /** The parking place whose edge is nearest; null where there is none. */
  nearestParking(place: Place): Nearest | null
  /** Whether a place lies within the outline. */
  holds(place: Place): boolean
  /** The parking places and zones that hold a place, and whether it lies within the outline. */
  at(place: Place): { readonly fences: readonly Fence[]; readonly isInArea: boolean }
}

export type CurrentFences = {
  /** As committed when this is asked; areas that are unknown are missing from the answer. */
  of(areaIds: readonly number[], tx?: Tx): Promise<ReadonlyMap<number, AreaFences>>
  /** The same, half a second old at most: for what is asked with every report. */
  recent(areaIds: readonly number[], tx?: Tx): Promise<ReadonlyMap<number, AreaFences>>
}

const recentMs = 500
/** `fence_change` keeps its rows for longer; who was cut off for longer than this forgets everything. */
const blindMs = 5 * minuteMs
const changesMax = 5_000

type Run = <R>(query: RawBuilder<R>) => Promise<R[]>
const changeRow = rowsOf(
  rowOf('fence_change', 'c', ['id', 'changed_area_id']).optional(),
  rowOfValues({ next: computed('text', sql`horizon.next`) }),
).filled('changed_area_id')

/**
 * Fences in memory. Whoever asks finds out first, by one small reading, which areas changed since the last time, so that
 * every server goes by a change as soon as it is committed, and no message can get lost on the way.
 */
export function createCurrentFences({ db, clock }: { readonly db: Database; readonly clock: Clock }): CurrentFences {
  const held = new Map<number, AreaFences>()
  let since: string | null = null
  let seen: ReadonlySet<number> = new Set()
  let askedAtMs = Number.NEGATIVE_INFINITY
  /** Counts what was forgotten: what was read before must not be kept after it. */
  let forgotten = 0

  // A caller within a transaction asks on its own connection: waiting there for another could wait for ever.
  const runOf = (tx: Tx | undefined): Run =>
    tx === undefined
      ? (query) => db.systemRead((k) => query.compile(k) as CompiledQuery<never>)
      : async (query) => (await query.execute(tx)).rows

  const forget = (areaIds: Iterable<number> | null): void => {
    forgotten += 1
    if (areaIds === null) held.clear()
    else for (const areaId of areaIds) held.delete(areaId)
  }
  const heed = async (run: Run): Promise<void> => {
    const nowMs = clock.now()
    const rows = await run(changeRow.select`
      from (select pg_snapshot_xmin(pg_current_snapshot()) as next) as horizon
      left join fence_change c on c.xid >= ${since === null ? sql`pg_snapshot_xmin(pg_current_snapshot())` : sql`${since}::text::xid8`}
      limit ${changesMax + 1}`)
    const changes = rows.flatMap(({ id, changed_area_id: areaId }) => (id === null ? [] : [{ id, areaId }]))
    const isBlind = since === null || nowMs - askedAtMs > blindMs || changes.length > changesMax
    const fresh = changes.filter(({ id }) => !seen.has(id))
    if (isBlind) forget(null)
    else if (fresh.length > 0) forget(fresh.map(({ areaId }) => areaId))
    const next = rows[0]?.next ?? since
    // Two who ask at once may come back in the other order.
    if (next !== null && (since === null || BigInt(next) >= BigInt(since))) {
      since = next
      seen = new Set(changes.map(({ id }) => id))
    }
    askedAtMs = nowMs
  }
  const load = async (run: Run, areaIds: readonly number[]): Promise<Map<number, AreaFences>> => {
    const found = new Map<number, AreaFences>()
    const missing: number[] = []
    for (const areaId of new Set(areaIds)) {
      const known = held.get(areaId)
      if (known === undefined) missing.push(areaId)
      else found.set(areaId, known)
    }
    if (missing.length === 0) return found
    const before = forgotten
    for (const [areaId, area] of await readAreas(run, missing)) {
      found.set(areaId, area)
      if (before === forgotten) held.set(areaId, area)
    }
    return found
  }
  return {
    of: async (areaIds, tx) => {
      const run = runOf(tx)
      await heed(run)
      return load(run, areaIds)
    },
    recent: async (areaIds, tx) => {
      const run = runOf(tx)
      if (clock.now() - askedAtMs >= recentMs) await heed(run)
      return load(run, areaIds)
    },
  }
}

const serviceAreaRow = rowOf('service_area', ['id', 'ring']).json<{ ring: Ring }>()

async function readAreas(run: Run, areaIds: readonly number[]): Promise<Map<number, AreaFences>> {
  const areas = await run(serviceAreaRow.select`from service_area where id = any (${areaIds}::bigint[])`)
  const rows = await run(fenceRow.select`
    from fence f
    where f.area_id = any (${areaIds}::bigint[]) and f.valid_to is null order by f.id`)
  const fences = Map.groupBy(rows.map(fenceOf), ({ areaId }) => areaId)
  return new Map(areas.map(({ id, ring }) => [id, areaFencesOf(fences.get(id) ?? [], ring)]))
}

/** `outline`: of the area itself, where its boundary never became a fence. */
export function areaFencesOf(fences: readonly Fence[], outline: Ring): AreaFences {
  const ring = fences.find(({ kind }) => kind === 'service_area')?.ring ?? outline
  const inside = fences.filter(({ kind }) => kind !== 'service_area')
  const shapes = inside.map((fence): IndexedShape =>
    fence.ring === null
      ? { centre: fence.centre, radiusM: fence.radiusM ?? 0 }
      : { ring: fence.ring, holes: fence.holes },
  )
  const index: FenceIndex = createFenceIndex([...shapes, { ring }])
  const parking = inside.filter(({ kind }) => kind === 'parking')
  return {
    parking,
    nearestParking: nearestOf(parking),
    noStop: inside.filter(({ kind }) => kind === 'no_stop'),
    ring,
    holds: ({ lat, lng }) => index.holds(inside.length, lng, lat),
    at: ({ lat, lng }) => {
      const found: Fence[] = []
      let isInArea = false
      index.visit(lng, lat, (at) => {
        const fence = inside[at]
        if (fence === undefined) isInArea = true
        else found.push(fence)
      })
      return { fences: found, isInArea }
    },
  }
}

const forgetEveryMs = hourMs
/** Twelve times as long as a server may be blind. */
const forgetAfter = '1 hour'

/** Deletes the notes of changes that every server has read long ago. For the worker. */
export function startForgetting({ db, log }: { readonly db: Database; readonly log: Log }): () => void {
  const forget = async (): Promise<void> => {
    const query = sql`delete from fence_change where at < now() - ${forgetAfter}::interval`
    try {
      await db.systemRead((k) => query.compile(k) as CompiledQuery<never>)
    } catch (err) {
      log.warn({ err }, 'old changes of fences could not be deleted')
    }
  }
  void forget()
  const timer = setInterval(() => void forget(), forgetEveryMs).unref()
  return () => clearInterval(timer)
}
