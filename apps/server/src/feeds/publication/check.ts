import {
  gbfsFeedNames,
  gbfsFeedSchemas,
  gbfsFindingsMax,
  type GbfsFeedName,
  type GbfsFeeds,
} from '@saddle/contract/feeds/gbfs.ts'
import type { z } from 'zod'

/** What is wrong with each feed: by the schema of the standard, and with what it says of things in the other feeds. */
export function checkFeeds(feeds: GbfsFeeds): ReadonlyMap<GbfsFeedName, readonly string[]> {
  const references = checkReferences(feeds)
  return new Map(
    gbfsFeedNames.map((name) => {
      const schema: z.ZodType = gbfsFeedSchemas[name]
      const parsed = schema.safeParse(feeds[name])
      const faults = parsed.success
        ? []
        : parsed.error.issues.map(({ path, message }) => `${path.map(String).join('.')}: ${message}`)
      return [name, [...faults, ...(references[name] ?? [])].slice(0, gbfsFindingsMax)]
    }),
  )
}

function checkReferences(feeds: GbfsFeeds): Partial<Record<GbfsFeedName, string[]>> {
  const types = new Set(feeds.vehicle_types.data.vehicle_types.map((type) => type.vehicle_type_id))
  const plans = new Set(feeds.system_pricing_plans.data.plans.map((plan) => plan.plan_id))
  const { stations } = feeds.station_information.data
  const stationIds = new Set(stations.map((station) => station.station_id))
  const regions = new Set(feeds.system_regions.data.regions.map((region) => region.region_id))
  const { vehicles } = feeds.vehicle_status.data
  return {
    vehicle_types: feeds.vehicle_types.data.vehicle_types.flatMap(({ default_pricing_plan_id: plan }) =>
      plan === undefined || plans.has(plan) ? [] : [`default_pricing_plan_id ${plan} is not in system_pricing_plans`],
    ),
    vehicle_status: [
      ...repeated(vehicles.map((vehicle) => vehicle.vehicle_id)).map((id) => `vehicle_id ${id} stands twice`),
      ...missing(
        vehicles.map((vehicle) => vehicle.vehicle_type_id),
        types,
      ).map((id) => `vehicle_type_id ${id} is not in vehicle_types`),
      ...missing(
        vehicles.flatMap((vehicle) => vehicle.station_id ?? []),
        stationIds,
      ).map((id) => `station_id ${id} is not in station_information`),
    ],
    station_information: [
      ...repeated(stations.map((station) => station.station_id)).map((id) => `station_id ${id} stands twice`),
      ...missing(
        stations.map((station) => station.region_id),
        regions,
      ).map((id) => `region_id ${id} is not in system_regions`),
    ],
    station_status: missing(
      feeds.station_status.data.stations.map((station) => station.station_id),
      stationIds,
    ).map((id) => `station_id ${id} is not in station_information`),
  }
}

const missing = (ids: readonly string[], known: ReadonlySet<string>): string[] => [
  ...new Set(ids.filter((id) => !known.has(id))),
]

function repeated(ids: readonly string[]): string[] {
  const seen = new Set<string>()
  const twice = new Set<string>()
  for (const id of ids) (seen.has(id) ? twice : seen).add(id)
  return [...twice]
}
