import {
  gbfsFeedNames,
  gbfsManifestPath,
  gbfsPath,
  gbfsTtlSeconds,
  gbfsVersion,
  type GbfsFeedName,
  type GbfsFeeds,
  type GbfsVehicle,
} from '@saddle/contract/feeds/gbfs.ts'
import { vehicleFormDefaults } from '@saddle/contract/feeds/publication.ts'
import type { Fence } from '@saddle/contract/geography/fences.ts'
import type { PriceRules } from '@saddle/contract/riding/price.ts'
import { businessOffsetMs, businessTimeZone, dayMs, minuteMs } from '@saddle/contract/time.ts'
import { outlineOf, type Shape } from '@saddle/geo/shape.ts'
import { createFenceIndex, isOpenAt } from '#geography/public.ts'
import type { GbfsFacts, PublicVehicle } from './facts.ts'

/** The feeds of one area, from what is known of it. Pure: whether they fit the standard is checked by `check.ts`. */
export function buildFeeds(facts: GbfsFacts): GbfsFeeds {
  const stations = stationsOf(facts)
  const frame = { last_updated: timeOf(facts.at), ttl: gbfsTtlSeconds, version: gbfsVersion } as const
  const feed = <T>(data: T) => ({ ...frame, data })
  return {
    gbfs: feed({ feeds: gbfsFeedNames.map((name) => ({ name, url: feedUrl(facts, name) })) }),
    system_information: feed({
      system_id: systemIdOf(facts.areaId),
      languages: [language],
      name: words(`${facts.company} ${facts.areaName}`),
      operator: words(facts.company),
      opening_hours: '24/7',
      feed_contact_email: facts.contactEmail,
      timezone: businessTimeZone,
      manifest_url: `${facts.base}${gbfsManifestPath}`,
      attribution_organization_name: words(facts.company),
    }),
    vehicle_types: feed({ vehicle_types: typesOf(facts) }),
    vehicle_status: feed({ vehicles: vehiclesOf(facts, stations) }),
    station_information: feed({ stations: stations.list.map((fence) => stationOf(facts, fence)) }),
    station_status: feed({ stations: statusOf(facts, stations) }),
    geofencing_zones: feed(zonesOf(facts)),
    system_pricing_plans: feed({ plans: facts.price === null ? [] : [planOf(facts.at, facts.price)] }),
    system_regions: feed({ regions: [{ region_id: regionIdOf(facts), name: words(facts.areaName) }] }),
    system_alerts: feed({ alerts: [] }),
  }
}

export const systemIdOf = (areaId: number): string => `saddle-${areaId}`
export const feedPath = (areaId: number, name: GbfsFeedName): string => `${gbfsPath}/${areaId}/${name}.json`
const feedUrl = ({ base, areaId }: GbfsFacts, name: GbfsFeedName): string => base + feedPath(areaId, name)

const language = 'zh-CN'
const words = (text: string) => [{ text, language }]
const timeOf = (atMs: number): string => new Date(atMs).toISOString()
const regionIdOf = ({ areaId }: GbfsFacts): string => String(areaId)

/** Six decimals are a hand's breadth, and the most that the standard asks for. */
const rounded = (degrees: number): number => Math.round(degrees * 1e6) / 1e6

function typesOf(facts: GbfsFacts) {
  const models = new Set([...facts.forms.keys(), ...facts.vehicles.map(({ model }) => model)])
  return [...models].toSorted().map((model) => typeOf(facts, model))
}

function typeOf({ forms, price, reserveMinutes }: GbfsFacts, model: string) {
  const { formFactor, propulsion, maxRangeM } = forms.get(model) ?? vehicleFormDefaults
  return {
    vehicle_type_id: model,
    form_factor: formFactor,
    propulsion_type: propulsion,
    max_range_meters: maxRangeM,
    name: words(model),
    return_constraint: 'hybrid' as const,
    default_reserve_time: reserveMinutes,
    ...(price !== null && { default_pricing_plan_id: planIdOf(price.id) }),
  }
}

interface Stations {
  readonly list: readonly Fence[]
  /** The parking place that a vehicle stands in, by the vehicle's public id. */
  readonly ofVehicle: ReadonlyMap<string, string>
}

function stationsOf({ fences, vehicles }: GbfsFacts): Stations {
  const list = fences.filter(({ kind }) => kind === 'parking')
  const index = createFenceIndex(list.map((fence) => shapeOf(fence)))
  const ofVehicle = new Map<string, string>()
  for (const { publicId, lat, lng } of vehicles) {
    index.visit(lng, lat, (found) => {
      const fence = list[found]
      if (fence !== undefined && !ofVehicle.has(publicId)) ofVehicle.set(publicId, stationIdOf(fence))
    })
  }
  return { list, ofVehicle }
}

const stationIdOf = ({ lineId }: Fence): string => String(lineId)

function shapeOf({ ring, holes, centre, radiusM }: Fence): Shape {
  return ring === null ? { centre, radiusM: radiusM ?? 0 } : { ring, holes }
}

/** Ids of vehicles that only follow from their trips stand in the order of those ids, which tells nothing. */
function vehiclesOf({ vehicles, forms }: GbfsFacts, { ofVehicle }: Stations): GbfsVehicle[] {
  return vehicles
    .map((vehicle) => {
      const { publicId, model, state, lat, lng, batteryPercent, heardAt } = vehicle
      const { maxRangeM } = forms.get(model) ?? vehicleFormDefaults
      const charge = (batteryPercent ?? 0) / 100
      const station = ofVehicle.get(publicId)
      return {
        vehicle_id: publicId,
        lat: rounded(lat),
        lon: rounded(lng),
        is_reserved: state === 'reserved',
        is_disabled: state === 'non_operational',
        vehicle_type_id: model,
        current_range_meters: Math.round(charge * maxRangeM),
        ...(batteryPercent !== null && { current_fuel_percent: Math.round(charge * 100) / 100 }),
        ...(heardAt !== null && { last_reported: timeOf(heardAt) }),
        ...(station !== undefined && { station_id: station }),
      }
    })
    .toSorted((one, other) => (one.vehicle_id < other.vehicle_id ? -1 : 1))
}

function stationOf(facts: GbfsFacts, fence: Fence) {
  const { name, centre, capacity, hours } = fence
  return {
    station_id: stationIdOf(fence),
    name: words(name),
    lat: rounded(centre.lat),
    lon: rounded(centre.lng),
    region_id: regionIdOf(facts),
    is_virtual_station: true as const,
    station_area: multiPolygonOf(fence),
    ...(hours !== null && {
      station_opening_hours: `Mo-Su ${clock(hours.opensMinute)}-${clock(hours.closesMinute)}`,
    }),
    ...(capacity !== null && { capacity }),
  }
}

const clock = (minute: number): string =>
  `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

function statusOf({ at, vehicles }: GbfsFacts, { list, ofVehicle }: Stations) {
  const standing = new Map<string, PublicVehicle[]>()
  for (const vehicle of vehicles) {
    const station = ofVehicle.get(vehicle.publicId)
    if (station === undefined) continue
    const found = standing.get(station)
    if (found === undefined) standing.set(station, [vehicle])
    else found.push(vehicle)
  }
  return list.map((fence) => {
    const here = standing.get(stationIdOf(fence)) ?? []
    const free = here.filter(({ state }) => state === 'available')
    const models = [...new Set(free.map(({ model }) => model))].toSorted()
    const isOpen = isOpenAt(fence.hours, at)
    return {
      station_id: stationIdOf(fence),
      num_vehicles_available: free.length,
      num_vehicles_disabled: here.filter(({ state }) => state === 'non_operational').length,
      vehicle_types_available: models.map((model) => ({
        vehicle_type_id: model,
        count: free.filter((one) => one.model === model).length,
      })),
      is_installed: true,
      is_renting: true,
      is_returning: isOpen,
      last_reported: timeOf(at),
    }
  })
}

/** The earlier zone wins where two overlap: what forbids stands before what allows. */
const zoneOrder = ['no_stop', 'parking', 'service_area'] as const

function zonesOf({ fences }: GbfsFacts) {
  const zones = zoneOrder.flatMap((kind) => fences.filter((fence) => fence.kind === kind))
  return {
    geofencing_zones: {
      type: 'FeatureCollection' as const,
      features: zones.map((fence) => ({
        type: 'Feature' as const,
        properties: {
          name: words(fence.name),
          start: timeOf(fence.validFrom),
          rules: [{ ride_start_allowed: true, ride_end_allowed: fence.kind !== 'no_stop', ride_through_allowed: true }],
        },
        geometry: multiPolygonOf(fence),
      })),
    },
    // Outside of every zone a ride may pass, and is not to end: there it costs a fee or is refused.
    global_rules: [{ ride_start_allowed: true, ride_end_allowed: false, ride_through_allowed: true }],
  }
}

type Corner = [number, number]

function multiPolygonOf(fence: Fence) {
  const holes = fence.ring === null ? [] : fence.holes
  const rings = [turned(outlineOf(shapeOf(fence)), 1), ...holes.map((hole) => turned(hole, -1))]
  return { type: 'MultiPolygon' as const, coordinates: [rings] }
}

/** Corners in the order that GeoJSON asks for: an outline counter-clockwise, a hole the other way round. */
function turned(ring: readonly (readonly [number, number])[], sign: 1 | -1): Corner[] {
  const corners = ring.map(([lng, lat]): Corner => [rounded(lng), rounded(lat)])
  let doubleArea = 0
  for (const [index, [lng, lat]] of corners.entries()) {
    const [nextLng, nextLat] = corners[index + 1] ?? [lng, lat]
    doubleArea += lng * nextLat - nextLng * lat
  }
  return Math.sign(doubleArea) === -sign ? corners.toReversed() : corners
}

const planIdOf = (versionId: number): string => `price-${versionId}`
const yuan = (cents: number): number => cents / 100
const metresPerKm = 1_000

function planOf(at: number, { id, name, rules }: NonNullable<GbfsFacts['price']>) {
  const { startCents, insuranceCents, timeSteps, distance } = rules
  return {
    plan_id: planIdOf(id),
    name: words(name),
    currency: 'CNY' as const,
    price: yuan(startCents + insuranceCents),
    is_taxable: false,
    description: words(priceInWords(rules)),
    per_min_pricing: timeSteps.map((step, index) => segmentOf(step, timeSteps[index + 1])),
    ...(distance !== null && {
      per_km_pricing: [
        {
          // The standard counts whole kilometres here; the description has the metres.
          start: Math.ceil(distance.fromM / metresPerKm),
          rate: yuan(distance.cents),
          interval: distance.everyM / metresPerKm,
        },
      ],
    }),
    surge_pricing: rules.bands.some((band) => isWithin(band, at)),
  }
}

type TimeStep = PriceRules['timeSteps'][number]

const segmentOf = ({ fromMinute, everyMinutes, cents }: TimeStep, next: TimeStep | undefined) => ({
  start: fromMinute,
  rate: yuan(cents),
  interval: everyMinutes,
  ...(next !== undefined && { end: next.fromMinute }),
})

function priceInWords(rules: PriceRules): string {
  const { freeSeconds, startCents, timeSteps, distance, dayCapCents, insuranceCents, outOfPlaceCents } = rules
  const parts = [
    ...(freeSeconds > 0 ? [`${freeSeconds} 秒内结束免费`] : []),
    `起步 ${yuan(startCents)} 元`,
    ...timeSteps.map((step) => `第 ${step.fromMinute} 分钟起每 ${step.everyMinutes} 分钟 ${yuan(step.cents)} 元`),
    ...(distance === null ? [] : [`${distance.fromM} 米起每 ${distance.everyM} 米 ${yuan(distance.cents)} 元`]),
    ...rules.bands.map((band) => `${band.name}加价 ${band.surchargePercent}%`),
    ...(insuranceCents > 0 ? [`每次骑行保险 ${yuan(insuranceCents)} 元`] : []),
    ...(dayCapCents === null ? [] : [`每日封顶 ${yuan(dayCapCents)} 元`]),
    ...(outOfPlaceCents > 0 ? [`停车点外还车 ${yuan(outOfPlaceCents)} 元`] : []),
  ]
  return parts.join('；')
}

function isWithin(band: PriceRules['bands'][number], atMs: number): boolean {
  const local = atMs + businessOffsetMs
  const minute = Math.floor((local % dayMs) / minuteMs)
  const { fromMinute, toMinute, weekdays } = band
  // 1970 began on a Thursday, the fourth day of the week. The day on which the minute lies counts.
  const weekday = ((Math.floor(local / dayMs) + 3) % 7) + 1
  const isHour =
    fromMinute < toMinute ? minute >= fromMinute && minute < toMinute : minute >= fromMinute || minute < toMinute
  return isHour && weekdays.includes(weekday)
}
