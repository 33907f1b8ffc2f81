import { minuteMs } from '@saddle/contract/time.ts'
import { retryAt } from '#kit/retry.ts'
import { eventThere, tripsThere } from '../mds/provider.ts'
import { tripOf } from '../mds/records.ts'
import { selectMdsEventsById, selectMdsTripsById } from '../mds/recordStore.ts'
import type { AgencyDeps, City, Sent } from './city.ts'
import { unregistered } from './rules.ts'
import {
  forgetVehicles,
  removeTaken,
  saveRefused,
  selectHeads,
  selectOpenTrips,
  type Head,
  type Refused,
} from './store.ts'
import { ensureVehicles } from './vehicles.ts'

const perRequest = 100
/** Rounds of one run: each sends one event and one trip of a vehicle. What is left waits for the next run. */
const roundsMax = 50
/** A trip whose length is not known yet is asked for again after it. */
const openTripMs = minuteMs

interface Found {
  readonly head: Head
  readonly record: { readonly device_id: string }
}
interface Sorted {
  /** What the city is sent. */
  readonly there: readonly Found[]
  /** What it is not concerned with. */
  readonly elsewhere: readonly Head[]
  /** What is not complete. */
  readonly open: readonly Head[]
}

/** Sends the events and trips that wait, those of a vehicle in their order. */
export async function sendQueued(deps: AgencyDeps, city: City, isOver: () => boolean): Promise<void> {
  for (let round = 0; round < roundsMax && !isOver(); round += 1) {
    const events = await sendHeads(deps, city, 'event')
    const trips = await sendHeads(deps, city, 'trip')
    if (events + trips === 0) return
  }
}

async function sendHeads(deps: AgencyDeps, city: City, kind: 'event' | 'trip'): Promise<number> {
  const { db, clock } = deps.kit
  const { jurisdiction_id: jurisdictionId } = city.target
  const asked = { jurisdictionId, kind, now: new Date(clock.now()), limit: perRequest }
  const heads = await db.systemRead((k) => selectHeads(asked).compile(k))
  if (heads.length === 0) return 0
  const sorted = kind === 'event' ? await eventsOf(deps, city, heads) : await tripsOf(deps, city, heads)
  const vehicleIds = sorted.there.map(({ head }) => head.vehicle_id)
  const notRegistered = await ensureVehicles(deps, city, vehicleIds)
  const items = sorted.there.filter(({ head }) => !notRegistered.has(head.vehicle_id))
  const sent: Sent<Found> = await city.send({
    kind,
    method: 'POST',
    path: kind === 'event' ? '/events' : '/trips',
    items,
    idField: kind === 'event' ? 'event_id' : 'trip_id',
    idOf: ({ record }) => String((record as Readonly<Record<string, unknown>>)[`${kind}_id`]),
    recordOf: ({ record }) => record,
  })
  const refused: Refused[] = []
  for (const [{ head }, fault] of sent.refused) refused.push(refusedOf(head, fault))
  for (const { head } of sorted.there) {
    const fault = notRegistered.get(head.vehicle_id)
    if (fault !== undefined) refused.push(refusedOf(head, fault))
  }
  for (const head of sorted.open) refused.push({ ...refusedOf(head, 'not complete'), ...laterOf(head) })
  const unknown = [...sent.refused].flatMap(([{ head }, fault]) => (fault === unregistered ? [head.vehicle_id] : []))
  const done = [...sorted.elsewhere, ...sent.taken.map(({ head }) => head)].map(({ id }) => id)
  await db.system(async (tx) => {
    if (done.length > 0) await removeTaken(done).execute(tx)
    if (refused.length > 0) await saveRefused(refused).execute(tx)
    // They are registered anew before their next record.
    if (unknown.length > 0) await forgetVehicles(jurisdictionId, unknown).execute(tx)
  })
  return heads.length

  function refusedOf(head: Head, fault: string): Refused {
    const nowMs = clock.now()
    const firstTriedAt = head.first_tried_at?.getTime() ?? nowMs
    const nextAt = retryAt({ nowMs, attempts: head.attempts + 1, firstTriedAtMs: firstTriedAt })
    return { id: head.id, fault, nextAt, firstTriedAt }
  }
  function laterOf(head: Head): Partial<Refused> {
    const { nextAt } = refusedOf(head, '')
    return nextAt === null ? {} : { nextAt: clock.now() + openTripMs }
  }
}

async function eventsOf({ kit }: AgencyDeps, city: City, heads: readonly Head[]): Promise<Sorted> {
  const { scope } = city.reader
  const ids = heads.map((head) => head.record_id)
  const rows = await kit.db.read(scope, (k) => selectMdsEventsById(scope, ids).compile(k))
  const recordOf = new Map(
    rows.flatMap((row) => eventThere(city.owner, city.bounds, row).map((record) => [row.event_id, record] as const)),
  )
  return sort(heads, recordOf, new Set())
}

async function tripsOf({ kit }: AgencyDeps, city: City, heads: readonly Head[]): Promise<Sorted> {
  const { scope } = city.reader
  const ids = heads.map((head) => head.record_id)
  const open = await kit.db.read(scope, (k) => selectOpenTrips(scope, ids).compile(k))
  const openIds = new Set(open.map(({ id }) => id))
  const rows = await kit.db.read(scope, (k) => selectMdsTripsById(scope, ids).compile(k))
  const there = await tripsThere(
    kit,
    city.reader,
    rows.filter(({ id }) => !openIds.has(id)),
  )
  return sort(heads, new Map(there.map((row) => [row.id, tripOf(city.owner, row)])), openIds)
}

function sort(
  heads: readonly Head[],
  recordOf: ReadonlyMap<number, Found['record']>,
  openIds: ReadonlySet<number>,
): Sorted {
  const there: Found[] = []
  const elsewhere: Head[] = []
  const open: Head[] = []
  for (const head of heads) {
    const record = recordOf.get(head.record_id)
    if (record !== undefined) there.push({ head, record })
    else (openIds.has(head.record_id) ? open : elsewhere).push(head)
  }
  return { there, elsewhere, open }
}
