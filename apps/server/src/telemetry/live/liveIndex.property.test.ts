import { expect, it } from 'vitest'
import { isLowBattery, mapAlarms, urgencyOf, vehicleStates, worstAlarm } from '@saddle/contract/fleet/vehicles.ts'
import {
  decodeLiveFrame,
  type Bounds,
  type LiveCluster,
  type LiveFilter,
  type LiveVehicle,
} from '@saddle/contract/telemetry/live.ts'
import type { VehicleFrame } from '@saddle/contract/telemetry/frame.ts'
import { createSeededRandom } from '#kit/random.ts'
import { createLiveIndex } from './liveIndex.ts'
import type { Visibility, VehicleFacts } from './table.ts'

const startMs = Date.UTC(2026, 10, 21)
const fleetSize = 2_500
const rounds = 60
const seeds = [4_711, 1, 20_261_121]

/** Everything that a plain scan needs, kept without any index. */
type Plain = VehicleFacts & { readonly lat: number; readonly lng: number }

function dice(seed: number) {
  const random = createSeededRandom(seed)
  const below = (bound: number): number => Math.floor(random.fraction() * bound)
  const pick = <T>(values: readonly T[]): T => values[below(values.length)]!
  const degrees = (from: number, span: number): number => Math.round((from + random.fraction() * span) * 1e6) / 1e6
  const chance = (share: number): boolean => random.fraction() < share
  return { below, pick, degrees, chance }
}
type Dice = ReturnType<typeof dice>

/** Mostly in one town, some all over the world, some nowhere. */
function place({ chance, degrees }: Dice): { lat: number | null; lng: number | null } {
  if (chance(0.03)) return { lat: null, lng: null }
  if (chance(0.05)) return { lat: degrees(-90, 180), lng: degrees(-180, 360) }
  return { lat: degrees(31.2, 0.1), lng: degrees(120.6, 0.2) }
}

/** Most vehicles are found near where they were. */
function aStepFrom({ degrees }: Dice, before: VehicleFacts | undefined): Partial<VehicleFacts> {
  if (before === undefined || before.lat === null || before.lng === null) return {}
  const { agentId, areaId } = before
  const [lat, lng] = [degrees(before.lat - 0.002, 0.004), degrees(before.lng - 0.002, 0.004)]
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 ? { agentId, areaId, lat, lng } : {}
}

function news(dice: Dice, vehicleId: number, version: number): VehicleFacts {
  const { below, pick, chance } = dice
  const agentId = 3 + below(3)
  return {
    vehicleId,
    agentId,
    areaId: agentId * 10 + below(3),
    version,
    state: pick(vehicleStates),
    stateBefore: null,
    ...place(dice),
    speedKmh: null,
    headingDeg: chance(0.5) ? null : below(180) * 2,
    positionAt: startMs,
    batteryPercent: chance(0.1) ? null : below(101),
    voltageV: null,
    locked: pick([true, false, null]),
    charging: pick([true, false, null]),
    signal: null,
    odometerM: null,
    factsAt: startMs,
    heardAt: chance(0.1) ? null : startMs,
    openAlarms: chance(0.1) ? [pick(['fall', 'low_battery', 'of_its_own'])] : [],
    model: vehicleId % 2 === 0 ? 'SD-E2' : 'SD-S1',
  }
}

function boundsOf({ chance, degrees }: Dice): Bounds {
  if (chance(0.1))
    return { west: degrees(90, 90), south: degrees(-90, 90), east: degrees(-180, 300), north: degrees(0, 90) }
  const [west, south] = [degrees(120.55, 0.2), degrees(31.15, 0.1)]
  return { west, south, east: degrees(west, 0.2), north: degrees(south, 0.1) }
}

function filterOf({ below, chance, pick }: Dice): LiveFilter | undefined {
  if (chance(0.4)) return undefined
  return {
    ...(chance(0.4) && { states: vehicleStates.filter(() => chance(0.5)) }),
    ...(chance(0.3) && { flag: pick(['low', 'alarm'] as const) }),
    ...(chance(0.3) && { alarms: mapAlarms.filter(() => chance(0.5)) }),
    ...(chance(0.3) && { batteryFrom: below(60) }),
    ...(chance(0.3) && { batteryTo: 40 + below(60) }),
    ...(chance(0.3) && { models: [pick(['SD-E2', 'SD-S1', 'SD-X'])] }),
    ...(chance(0.3) && { areaIds: [30, 31, 40, 51] }),
  }
}

function visibilityOf({ chance }: Dice): Visibility {
  const agentIds = new Set([3, 4, 5].filter(() => chance(0.6)))
  return { agentIds, areaIds: new Set([30, 31, 32, 40, 41, 42, 50, 51, 52].filter(() => chance(0.6))) }
}

const isLow = (one: Plain): boolean => isLowBattery(one)
const shown = (one: Plain) =>
  one.heardAt === null && one.state !== 'missing' && one.state !== 'removed' ? 'non_contactable' : one.state

function passes(
  one: Plain,
  { visibility, filter = {} }: { visibility: Visibility; filter?: LiveFilter | undefined },
): boolean {
  const { states, flag, alarms = [], batteryFrom, batteryTo, models, areaIds } = filter
  if (!visibility.agentIds.has(one.agentId) || !visibility.areaIds.has(one.areaId)) return false
  if (states !== undefined && !states.includes(shown(one))) return false
  if (flag === 'low' && !isLow(one)) return false
  if (flag === 'alarm' && one.openAlarms.length === 0) return false
  const worst = worstAlarm(one.openAlarms)
  if (alarms.length > 0 && (worst === null || !alarms.includes(worst))) return false
  if (batteryFrom !== undefined && (one.batteryPercent === null || one.batteryPercent < batteryFrom)) return false
  if (batteryTo !== undefined && (one.batteryPercent === null || one.batteryPercent > batteryTo)) return false
  if (models !== undefined && !models.includes(one.model!)) return false
  return areaIds === undefined || areaIds.includes(one.areaId)
}

function isIn({ lat, lng }: Plain, { west, south, east, north }: Bounds): boolean {
  if (lat < south || lat > north) return false
  return west <= east ? lng >= west && lng <= east : lng >= west || lng <= east
}

const cellOf = (degrees: number, from: number, shift: number): number =>
  Math.floor((Math.round(degrees * 1e6) + from) / 2 ** shift)

/** By key: how many of what; the cells that touch the bounds, counted whole. */
function plainClusters(fleet: readonly Plain[], bounds: Bounds, shift: number): Map<number, unknown> {
  const cell = (lng: number, lat: number) => ({ x: cellOf(lng, 180e6, shift), y: cellOf(lat, 90e6, shift) })
  const [low, high] = [cell(bounds.west, bounds.south), cell(bounds.east, bounds.north)]
  const touched = fleet.filter((one) => {
    const { x, y } = cell(one.lng, one.lat)
    const isBetween = bounds.west <= bounds.east ? x >= low.x && x <= high.x : x >= low.x || x <= high.x
    return isBetween && y >= low.y && y <= high.y
  })
  const groups = Map.groupBy(touched, (one) => {
    const { x, y } = cell(one.lng, one.lat)
    return y * 2 ** (29 - shift) + x
  })
  return new Map(
    Array.from(groups, ([key, members]) => [
      key,
      {
        count: members.length,
        available: members.filter((one) => one.state === 'available' && one.heardAt !== null).length,
        lowBattery: members.filter(isLow).length,
        alarms: members.filter((one) => {
          const worst = worstAlarm(one.openAlarms)
          return worst !== null && urgencyOf(worst) === 'serious'
        }).length,
      },
    ]),
  )
}

const counts = (clusters: Iterable<LiveCluster>) =>
  new Map(
    Array.from(clusters, ({ key, count, available, lowBattery, alarms }) => [
      key,
      { count, available, lowBattery, alarms },
    ]),
  )

function decodedVehicles(bytes: Uint8Array): VehicleFrame {
  const frame = decodeLiveFrame(bytes)
  if (frame.kind !== 'vehicles') throw new Error('not a frame of vehicles')
  return frame
}

const byId = (vehicles: Iterable<LiveVehicle>) => new Map(Array.from(vehicles, (one) => [one.id, one]))

for (const seed of seeds) {
  it(`answers as a plain scan does, wherever vehicles move and whatever is visible (seed ${seed})`, () => {
    const rolls = dice(seed)
    const index = createLiveIndex({ nowMs: startMs })
    const known = new Map<number, VehicleFacts>()
    for (let round = 0; round < rounds; round += 1) {
      for (let turn = 0; turn < 200; turn += 1) {
        const vehicleId = 1 + rolls.below(fleetSize)
        const last = known.get(vehicleId)
        const next = news(rolls, vehicleId, (last?.version ?? 0) + 1)
        if (last !== undefined && rolls.chance(0.1)) index.update([{ ...next, version: last.version }])
        else {
          known.set(vehicleId, next)
          index.update([next])
        }
      }
      for (const id of [1, 2, 3].map(() => 1 + rolls.below(fleetSize))) {
        index.forget([id])
        known.delete(id)
      }
      const viewport = { bounds: boundsOf(rolls), visibility: visibilityOf(rolls), filter: filterOf(rolls) }
      const fleet = [...known.values()].filter((one): one is Plain => one.lat !== null)
      const visible = fleet.filter((one) => passes(one, viewport))
      const note = `round ${round}`
      const found = index.query(viewport)
      const expected = visible.filter((one) => isIn(one, viewport.bounds)).map(({ vehicleId }) => vehicleId)
      expect(
        found.map(({ id }) => id).toSorted((a, b) => a - b),
        note,
      ).toEqual(expected.toSorted((a, b) => a - b))
      expect(new Set(index.search(viewport)), note).toEqual(new Set(expected))
      for (const one of found) {
        const { lat, lng, state, batteryPercent } = known.get(one.id)!
        expect(one, note).toMatchObject({ lat, lng, state, batteryPercent })
      }
      const zoom = rolls.below(16)
      const shift = Math.max(13, 26 - zoom)
      expect(counts(index.clusters({ ...viewport, zoom })), note).toEqual(
        plainClusters(visible, viewport.bounds, shift),
      )
    }
  })

  it(`differences add up to a snapshot, of vehicles and of clusters (seed ${seed})`, () => {
    const rolls = dice(seed)
    const index = createLiveIndex({ nowMs: startMs })
    const versions = new Map<number, number>()
    const last = new Map<number, VehicleFacts>()
    const viewports = Array.from({ length: 6 }, (_, n) => ({
      bounds: boundsOf(rolls),
      visibility: visibilityOf(rolls),
      filter: filterOf(rolls),
      ...(n % 2 === 0 && { zoom: 9 + n }),
    }))
    const views = viewports.map((viewport) => ({
      viewport,
      view: index.createView(viewport),
      shown: new Map<number, { readonly count?: number }>(),
    }))
    const apply = (shown: Map<number, object>, bytes: Uint8Array | null): void => {
      if (bytes === null) return
      const frame = decodeLiveFrame(bytes)
      if (frame.snapshot) shown.clear()
      for (const id of frame.removed) expect(shown.delete(id)).toBe(true)
      for (const one of frame.upserts) shown.set('id' in one ? one.id : one.key, one)
    }
    for (const { view, shown } of views) apply(shown, view.snapshot(0))
    for (let round = 0; round < rounds; round += 1) {
      const crowd = 50 + (round % 2) * 400
      const moved = Array.from({ length: crowd }, () => {
        const vehicleId = 1 + rolls.below(fleetSize * 4)
        const version = (versions.get(vehicleId) ?? 0) + 1
        versions.set(vehicleId, version)
        const next = {
          ...news(rolls, vehicleId, version),
          ...(rolls.chance(0.6) && aStepFrom(rolls, last.get(vehicleId))),
        }
        last.set(vehicleId, next)
        return next
      })
      index.update(moved)
      // A tick makes ready what changed for those who were up to date; without one, or when one was missed, a view searches
      // for itself.
      if (rolls.chance(0.8)) index.tick(startMs)
      for (const { viewport, view, shown } of views) {
        if (rolls.chance(0.1)) continue
        apply(shown, view.difference(round))
        const isClusters = [...shown.values()].some((one) => one.count !== undefined)
        if (isClusters) {
          const truth = counts(index.clusters({ ...viewport, zoom: viewport.zoom! }))
          expect(counts([...shown.values()] as LiveCluster[]), `round ${round}`).toEqual(truth)
        } else expect(shown, `round ${round}`).toEqual(byId(index.query(viewport)))
      }
    }
    expect(index.size).toBeGreaterThan(1_024)
  })

  it(`clusters that are told to all who see the same add up for each of them (seed ${seed})`, () => {
    const rolls = dice(seed)
    const index = createLiveIndex({ nowMs: startMs })
    const last = new Map<number, VehicleFacts>()
    const eyes = [visibilityOf(rolls), { agentIds: new Set([3, 4, 5]), areaIds: new Set([30, 31, 40, 41, 50]) }]
    const views = Array.from({ length: 12 }, (_, n) => {
      const bounds = n % 3 === 0 ? { west: -180, south: -90, east: 180, north: 90 } : boundsOf(rolls)
      const viewport = { bounds, visibility: eyes[n % 2]!, zoom: 4 + rolls.below(4) * 2 }
      return { viewport, view: index.createView(viewport), shown: new Map<number, LiveCluster>() }
    })
    let [differences, gone] = [0, 0]
    const look = (bytes: Uint8Array | null, shown: Map<number, LiveCluster>): void => {
      if (bytes === null) return
      const frame = decodeLiveFrame(bytes)
      if (frame.snapshot) shown.clear()
      // Where few are left, vehicles are shown one by one.
      if (frame.kind === 'vehicles') return
      if (!frame.snapshot) differences += 1
      for (const key of frame.removed) expect(shown.delete(key)).toBe(true)
      gone += frame.removed.length
      for (const one of frame.upserts) shown.set(one.key, one)
    }
    for (let round = 0; round < rounds; round += 1) {
      const moved = Array.from({ length: round === 0 ? fleetSize * 4 : 60 }, (_, n) => {
        const vehicleId = round === 0 ? n + 1 : 1 + rolls.below(fleetSize * 4)
        const before = last.get(vehicleId)
        const next = { ...news(rolls, vehicleId, (before?.version ?? 0) + 1), ...aStepFrom(rolls, before) }
        last.set(vehicleId, next)
        return next
      })
      index.update(moved)
      index.forget(Array.from({ length: 20 }, () => 1 + rolls.below(fleetSize * 4)))
      index.tick(startMs)
      for (const { viewport, view, shown } of views) {
        // Now and then one misses a tick and has to begin again.
        if (round > 0 && rolls.chance(0.05)) continue
        look(round === 0 ? view.snapshot(0) : view.difference(round), shown)
        const vehicles = index.search(viewport).length
        if (shown.size === 0) continue
        expect(counts([...shown.values()]), `round ${round}, ${vehicles} vehicles`).toEqual(
          counts(index.clusters(viewport)),
        )
      }
    }
    expect(differences).toBeGreaterThan(rounds)
    expect(gone).toBeGreaterThan(0)
  })

  it(`many steps of many vehicles in few areas reach every view of them (seed ${seed})`, () => {
    const rolls = dice(seed)
    const { below, chance, degrees } = rolls
    const index = createLiveIndex({ nowMs: startMs })
    const last = new Map<number, VehicleFacts>()
    const fleet = 4_000
    const put = (vehicleId: number): VehicleFacts => {
      const before = last.get(vehicleId)
      const fresh = news(rolls, vehicleId, (before?.version ?? 0) + 1)
      // Most drive on, a few are found far away, in the other area or nowhere.
      const isStep = before !== undefined && before.lat !== null && before.lng !== null && chance(0.9)
      const [lat, lng] = isStep
        ? [degrees(before.lat - 0.0008, 0.0016), degrees(before.lng - 0.0008, 0.0016)]
        : [degrees(31.2, 0.15), degrees(120.6, 0.15)]
      const areaId = before === undefined || chance(0.02) ? 30 + below(2) : before.areaId
      const next = { ...fresh, agentId: 3, areaId, ...(chance(0.01) ? { lat: null, lng: null } : { lat, lng }) }
      last.set(vehicleId, next)
      return next
    }
    index.update(Array.from({ length: fleet }, (_, n) => put(n + 1)))
    index.tick(startMs)
    const look = () => {
      const span = rolls.pick([0.004, 0.03, 0.1, 0.4])
      const [west, south] = [degrees(120.55, 0.2), degrees(31.15, 0.2)]
      return {
        bounds: chance(0.1)
          ? { west: 120.7, south, east: 120.65, north: south + span }
          : { west, south, east: west + span, north: south + span },
        visibility: { agentIds: new Set([3]), areaIds: new Set(chance(0.7) ? [30, 31] : [31]) },
        filter: chance(0.3) ? filterOf(rolls) : undefined,
      }
    }
    const open = (round: number) => {
      const viewport = look()
      const view = index.createView(viewport)
      return { viewport, view, shown: byId(decodedVehicles(view.snapshot(round)).upserts) }
    }
    const clients = Array.from({ length: 16 }, () => open(0))
    let [differences, gone] = [0, 0]
    for (let round = 1; round <= rounds / 2; round += 1) {
      // Some move more than once between two ticks.
      index.update(Array.from({ length: 1_500 }, () => put(1 + below(fleet))))
      if (chance(0.3)) clients[below(clients.length)] = open(round)
      index.update(Array.from({ length: 500 }, () => put(1 + below(fleet))))
      index.forget(Array.from({ length: 5 }, () => 1 + below(fleet)))
      index.tick(startMs)
      for (const { viewport, view, shown } of clients) {
        // One that does not read is sent nothing, and everything afresh later.
        if (chance(0.05)) continue
        const bytes = chance(0.05) ? view.snapshot(round) : view.difference(round)
        if (bytes !== null) {
          const frame = decodedVehicles(bytes)
          if (frame.snapshot) shown.clear()
          else differences += 1
          for (const id of frame.removed) expect(shown.delete(id), `round ${round}`).toBe(true)
          gone += frame.removed.length
          for (const one of frame.upserts) shown.set(one.id, one)
        }
        expect(shown, `round ${round}`).toEqual(byId(index.query(viewport)))
      }
    }
    expect(differences).toBeGreaterThan(rounds * 4)
    expect(gone).toBeGreaterThan(rounds)
  })
}
