import type { TaskRule } from '@saddle/contract/operations/taskRules.ts'
import type { TaskKind, TaskPriority, TaskTrigger } from '@saddle/contract/operations/taskWords.ts'
import type { VehicleState } from '@saddle/contract/fleet/vehicles.ts'
import { hourMs, minuteMs } from '@saddle/contract/time.ts'
import { planeM } from '@saddle/geo/earth.ts'

/** What a rule looks at. Times are milliseconds since 1970. */
export type VehicleFacts = {
  readonly vehicleId: number
  readonly state: VehicleState
  readonly batteryPercent: number | null
  /** Since when nobody has ridden it. */
  readonly idleSince: number
  /** The parking place that it stands in. */
  readonly placeId: number | null
  readonly alarms: readonly { readonly kind: string; readonly openedAt: number }[]
  /** Fault reports that no repair has settled. */
  readonly faults: number
}

export type PlaceFacts = {
  readonly id: number
  readonly name: string
  readonly capacity: number | null
  readonly lat: number
  readonly lng: number
}

/** A task of a rule that is not finished. */
export type HeldTask = {
  readonly vehicleId: number
  readonly kind: TaskKind
  readonly trigger: TaskTrigger
  readonly detail: string
  readonly toFenceId: number | null
}

export type AreaFacts = {
  readonly nowMs: number
  readonly vehicles: readonly VehicleFacts[]
  readonly places: readonly PlaceFacts[]
  /** Unfinished tasks that the rules asked for. */
  readonly held: readonly HeldTask[]
}

export type Wanted = {
  readonly vehicleId: number
  readonly kind: TaskKind
  readonly priority: TaskPriority
  readonly dueMinutes: number | null
  readonly trigger: TaskTrigger
  readonly detail: string
  readonly value: number
  readonly to: PlaceFacts | null
}

/** A task by battery ends a little above where it began, so that it does not flutter. */
const batterySlackPercent = 5
/** A vehicle that is taken elsewhere has to be worth it there. */
const movableFromPercent = 30
const noAlarms: VehicleFacts['alarms'] = []
export const withoutAlarms = noAlarms

export const taskKey = (vehicleId: number, kind: TaskKind): string => `${vehicleId} ${kind}`

/** A vehicle that a rule is true of; the higher the weight, the more it is in need. */
type Match = { readonly weight: number; readonly value: number; readonly detail: string }

/** Whoever rides it, holds it in the depot or has lost it looks after it: nobody is sent there by rule. */
const isOnStreet = ({ state }: VehicleFacts): boolean =>
  state === 'available' || state === 'non_operational' || state === 'elsewhere' || state === 'non_contactable'

function matchOf(rule: TaskRule, vehicle: VehicleFacts, nowMs: number, isHeld: boolean): Match | null {
  if (!isOnStreet(vehicle)) return null
  switch (rule.trigger) {
    case 'low_battery': {
      const { batteryPercent } = vehicle
      if (batteryPercent === null || batteryPercent >= rule.belowPercent + (isHeld ? batterySlackPercent : 0))
        return null
      return { weight: 100 - batteryPercent, value: Math.round(batteryPercent), detail: '' }
    }
    case 'idle': {
      const hours = (nowMs - vehicle.idleSince) / hourMs
      if (hours < rule.hours || vehicle.state !== 'available') return null
      return { weight: hours, value: Math.floor(hours), detail: '' }
    }
    case 'alarm': {
      const open = vehicle.alarms.find(({ kind }) => rule.alarms.includes(kind))
      return open === undefined ? null : { weight: nowMs - open.openedAt, value: 1, detail: open.kind }
    }
    case 'fault':
      return vehicle.faults < rule.reports ? null : { weight: vehicle.faults, value: vehicle.faults, detail: '' }
    case 'outside_area': {
      const open = vehicle.alarms.find(({ kind }) => kind === 'outside_area')
      const minutes = open === undefined ? -1 : (nowMs - open.openedAt) / minuteMs
      return minutes < rule.minutes ? null : { weight: minutes, value: Math.floor(minutes), detail: '' }
    }
    case 'overfull_place':
    case 'empty_place':
      return null
  }
}

/** Stock of the parking places: who stands in each, the ones that have stood longest first. */
function stockOf(facts: AreaFacts): Map<number, VehicleFacts[]> {
  const stock = new Map<number, VehicleFacts[]>(facts.places.map(({ id }) => [id, []]))
  for (const vehicle of facts.vehicles) {
    if (vehicle.placeId !== null && vehicle.state === 'available') stock.get(vehicle.placeId)?.push(vehicle)
  }
  for (const standing of stock.values()) standing.sort((a, b) => a.idleSince - b.idleSince)
  return stock
}

/** Which tasks the rules of an area want to be there now, what was asked for already included. */
export function evaluateArea(rules: readonly TaskRule[], facts: AreaFacts): Wanted[] {
  const wanted = new Map<string, Wanted>()
  const stock = rules.some(({ trigger, enabled }) => enabled && trigger.endsWith('_place')) ? stockOf(facts) : null
  for (const rule of rules) {
    if (!rule.enabled) continue
    const { kind, trigger, priority, dueMinutes, atMost } = rule
    const own = facts.held.filter((task) => task.kind === kind && task.trigger === trigger)
    const held = new Set(own.map(({ vehicleId }) => vehicleId))
    const isHeld = (vehicleId: number): boolean => held.has(vehicleId)
    const found: (Match & { vehicle: VehicleFacts; to: PlaceFacts | null })[] = []
    if (trigger === 'overfull_place' || trigger === 'empty_place') {
      if (stock !== null) found.push(...matchesOfPlaces({ rule, facts, stock, isHeld }))
    } else {
      for (const vehicle of facts.vehicles) {
        const match = matchOf(rule, vehicle, facts.nowMs, isHeld(vehicle.vehicleId))
        if (match !== null) found.push({ ...match, vehicle, to: null })
      }
    }
    // What is there already keeps its place; of the rest the neediest come first.
    if (found.length > atMost) {
      const rank = ({ vehicle, weight }: (typeof found)[number]) => (isHeld(vehicle.vehicleId) ? 1e15 : 0) + weight
      found.sort((a, b) => rank(b) - rank(a) || a.vehicle.vehicleId - b.vehicle.vehicleId)
      found.length = atMost
    }
    for (const { vehicle, value, detail, to } of found) {
      const key = taskKey(vehicle.vehicleId, kind)
      if (wanted.has(key)) continue
      wanted.set(key, { vehicleId: vehicle.vehicleId, kind, priority, dueMinutes, trigger, detail, value, to })
    }
  }
  return [...wanted.values()]
}

type PlaceRule = Extract<TaskRule, { trigger: 'overfull_place' | 'empty_place' }>
type PlaceMatch = Match & { readonly vehicle: VehicleFacts; readonly to: PlaceFacts | null }
type PlaceAsk = {
  readonly rule: PlaceRule
  readonly facts: AreaFacts
  readonly stock: ReadonlyMap<number, VehicleFacts[]>
  readonly isHeld: (vehicleId: number) => boolean
}

const matchesOfPlaces = (ask: PlaceAsk): PlaceMatch[] =>
  ask.rule.trigger === 'overfull_place' ? overfullOf(ask) : emptyOf(ask)

const isMovable = ({ batteryPercent }: VehicleFacts): boolean => (batteryPercent ?? 0) >= movableFromPercent

/** What stands beyond the capacity of a place, from so many percent of it on, goes to the nearest place with room. */
function overfullOf({ rule, facts, stock, isHeld }: PlaceAsk): PlaceMatch[] {
  if (rule.trigger !== 'overfull_place') return []
  const found: PlaceMatch[] = []
  const taken = new Map<number, number>()
  const roomOf = (place: PlaceFacts): number =>
    (place.capacity ?? 0) * 0.8 - (stock.get(place.id)?.length ?? 0) - (taken.get(place.id) ?? 0)
  for (const place of facts.places) {
    const standing = stock.get(place.id) ?? []
    if (place.capacity === null || place.capacity === 0 || standing.length <= place.capacity) continue
    const isOver = standing.length * 100 >= place.capacity * rule.percent
    const goes = standing.filter(({ vehicleId }) => isHeld(vehicleId))
    if (!isOver && goes.length === 0) continue
    const surplus = standing.length - place.capacity
    const fresh = isOver ? standing.filter(({ vehicleId }) => !isHeld(vehicleId)) : []
    const near = facts.places
      .filter((other) => other.id !== place.id && other.capacity !== null)
      .toSorted((a, b) => planeM(place, a) - planeM(place, b))
    for (const vehicle of [...goes, ...fresh].slice(0, surplus)) {
      const to = near.find((other) => roomOf(other) >= 1) ?? null
      if (to !== null) taken.set(to.id, (taken.get(to.id) ?? 0) + 1)
      found.push({ vehicle, to, weight: standing.length / place.capacity, value: standing.length, detail: place.name })
    }
  }
  return found
}

/** A place with less than so many vehicles gets one from the nearest place that can spare some. */
function emptyOf({ rule, facts, stock, isHeld }: PlaceAsk): PlaceMatch[] {
  if (rule.trigger !== 'empty_place') return []
  const found: PlaceMatch[] = []
  const byId = new Map(facts.vehicles.map((vehicle) => [vehicle.vehicleId, vehicle]))
  const gone = new Set<number>()
  const onTheWay = new Map<number, HeldTask[]>()
  for (const task of facts.held) {
    if (task.trigger !== 'empty_place' || task.toFenceId === null) continue
    gone.add(task.vehicleId)
    onTheWay.set(task.toFenceId, [...(onTheWay.get(task.toFenceId) ?? []), task])
  }
  const spare = (place: PlaceFacts): VehicleFacts | undefined => {
    const left = (stock.get(place.id) ?? []).filter(({ vehicleId }) => !gone.has(vehicleId))
    if (left.length <= Math.max(rule.below + 2, (place.capacity ?? 0) * 0.5)) return undefined
    return left.find((vehicle) => isMovable(vehicle) && !isHeld(vehicle.vehicleId))
  }
  for (const place of facts.places) {
    const count = stock.get(place.id)?.length ?? 0
    if (count >= rule.below) continue
    const coming = onTheWay.get(place.id) ?? []
    for (const task of coming) {
      const vehicle = byId.get(task.vehicleId)
      if (vehicle !== undefined && isOnStreet(vehicle) && vehicle.placeId !== place.id)
        found.push({ vehicle, to: place, weight: rule.below - count, value: count, detail: place.name })
    }
    const missing = rule.below - count - coming.length
    if (missing <= 0) continue
    const near = facts.places.filter(({ id }) => id !== place.id)
    near.sort((a, b) => planeM(place, a) - planeM(place, b))
    for (let n = 0; n < missing; n += 1) {
      const vehicle = near.map(spare).find((one) => one !== undefined)
      if (vehicle === undefined) break
      gone.add(vehicle.vehicleId)
      found.push({ vehicle, to: place, weight: rule.below - count, value: count, detail: place.name })
    }
  }
  return found
}
