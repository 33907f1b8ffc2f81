import { z } from 'zod'

/**
 * The feeds of GBFS 3.0 as this platform writes them, field by field as the standard demands. A feed that does not fit is not
 * published. Fields that the standard leaves open and we do not write are not named, so that none slips in.
 */

export const gbfsVersion = '3.0' as const
export const gbfsPath = '/gbfs'
export const gbfsManifestPath = `${gbfsPath}/manifest.json`

export const gbfsFeedNames = [
  'gbfs',
  'system_information',
  'vehicle_types',
  'vehicle_status',
  'station_information',
  'station_status',
  'geofencing_zones',
  'system_pricing_plans',
  'system_regions',
  'system_alerts',
] as const
export type GbfsFeedName = (typeof gbfsFeedNames)[number]
export const gbfsFeedLabels: Readonly<Record<GbfsFeedName, string>> = {
  gbfs: '目录',
  system_information: '系统信息',
  vehicle_types: '车辆类型',
  vehicle_status: '车辆状态',
  station_information: '停车点',
  station_status: '停车点状态',
  geofencing_zones: '围栏规则',
  system_pricing_plans: '价格',
  system_regions: '区域',
  system_alerts: '公告',
}

/** Seconds after which a consumer asks again. */
export const gbfsTtlSeconds = 60
/** What is older is no longer held to be true; the console says so. */
export const gbfsStaleMs = 300_000
export const gbfsVehiclesMax = 50_000
export const gbfsFindingsMax = 20

/** The standard's shapes of vehicles. */
export const gbfsFormFactors = [
  'bicycle',
  'cargo_bicycle',
  'car',
  'moped',
  'scooter_standing',
  'scooter_seated',
  'other',
] as const
export type GbfsFormFactor = (typeof gbfsFormFactors)[number]
export const gbfsFormFactorLabels: Readonly<Record<GbfsFormFactor, string>> = {
  bicycle: '自行车',
  cargo_bicycle: '载货自行车',
  car: '汽车',
  moped: '轻便摩托车',
  scooter_standing: '站立式滑板车',
  scooter_seated: '坐式滑板车',
  other: '其他',
}
/** Of the standard's drives those that a vehicle of this platform may have: each has a battery. */
export const gbfsPropulsions = ['electric_assist', 'electric'] as const
export type GbfsPropulsion = (typeof gbfsPropulsions)[number]
export const gbfsPropulsionLabels: Readonly<Record<GbfsPropulsion, string>> = {
  electric_assist: '电助力',
  electric: '纯电动',
}

const whole = z.int().min(0)
const id = z.string().min(1).max(80)
const at = z.iso.datetime()
const lat = z.number().min(-90).max(90)
const lon = z.number().min(-180).max(180)
const language = z.string().regex(/^[a-z]{2,3}(-[A-Z]{2})?$/)
const words = z.array(z.strictObject({ text: z.string().min(1), language })).min(1)
const address = z.url({ protocol: /^https?$/ })

const position = z.tuple([lon, lat])
const multiPolygon = z.strictObject({
  type: z.literal('MultiPolygon'),
  coordinates: z.array(z.array(z.array(position).min(4)).min(1)).min(1),
})

const feedOf = <T extends z.core.$ZodType>(data: T) =>
  z.strictObject({ last_updated: at, ttl: whole, version: z.literal(gbfsVersion), data })

const rule = z.strictObject({
  vehicle_type_ids: z.array(id).optional(),
  ride_start_allowed: z.boolean(),
  ride_end_allowed: z.boolean(),
  ride_through_allowed: z.boolean(),
  maximum_speed_kph: whole.optional(),
  station_parking: z.boolean().optional(),
})
const segment = z.strictObject({
  start: whole,
  rate: z.number(),
  interval: z.number().min(0),
  end: whole.optional(),
})

export const gbfsManifestSchema = feedOf(
  z.strictObject({
    datasets: z.array(
      z.strictObject({
        system_id: id,
        versions: z.array(z.strictObject({ version: z.literal(gbfsVersion), url: address })).min(1),
      }),
    ),
  }),
)

export const gbfsFeedSchemas = {
  gbfs: feedOf(
    z.strictObject({
      feeds: z
        .array(z.strictObject({ name: z.enum(gbfsFeedNames), url: address }))
        .refine((feeds) => ['system_information', 'vehicle_status'].every((one) => feeds.some((f) => f.name === one)), {
          error: 'system_information and vehicle_status are required',
        })
        .refine(
          (feeds) =>
            !feeds.some((f) => f.name === 'station_information') || feeds.some((f) => f.name === 'station_status'),
          {
            error: 'station_information needs station_status',
          },
        ),
    }),
  ),
  system_information: feedOf(
    z.strictObject({
      system_id: id,
      languages: z.array(language).min(1),
      name: words,
      operator: words,
      opening_hours: z.string().min(1),
      feed_contact_email: z.email(),
      timezone: z.literal('Asia/Shanghai'),
      manifest_url: address,
      attribution_organization_name: words,
    }),
  ),
  vehicle_types: feedOf(
    z.strictObject({
      vehicle_types: z.array(
        z.strictObject({
          vehicle_type_id: id,
          form_factor: z.enum(gbfsFormFactors),
          propulsion_type: z.enum(gbfsPropulsions),
          max_range_meters: z.number().min(0),
          name: words,
          return_constraint: z.enum(['free_floating', 'hybrid']),
          default_reserve_time: whole,
          default_pricing_plan_id: id.optional(),
        }),
      ),
    }),
  ),
  vehicle_status: feedOf(
    z.strictObject({
      vehicles: z
        .array(
          z.strictObject({
            vehicle_id: id,
            lat,
            lon,
            is_reserved: z.boolean(),
            is_disabled: z.boolean(),
            vehicle_type_id: id,
            last_reported: at.optional(),
            current_range_meters: z.number().min(0),
            current_fuel_percent: z.number().min(0).max(1).optional(),
            station_id: id.optional(),
          }),
        )
        .max(gbfsVehiclesMax),
    }),
  ),
  station_information: feedOf(
    z.strictObject({
      stations: z.array(
        z.strictObject({
          station_id: id,
          name: words,
          lat,
          lon,
          region_id: id,
          is_virtual_station: z.literal(true),
          station_area: multiPolygon,
          station_opening_hours: z.string().optional(),
          capacity: whole.optional(),
        }),
      ),
    }),
  ),
  station_status: feedOf(
    z.strictObject({
      stations: z.array(
        z.strictObject({
          station_id: id,
          num_vehicles_available: whole,
          num_vehicles_disabled: whole,
          vehicle_types_available: z.array(z.strictObject({ vehicle_type_id: id, count: whole })),
          is_installed: z.boolean(),
          is_renting: z.boolean(),
          is_returning: z.boolean(),
          last_reported: at,
        }),
      ),
    }),
  ),
  geofencing_zones: feedOf(
    z.strictObject({
      geofencing_zones: z.strictObject({
        type: z.literal('FeatureCollection'),
        features: z.array(
          z.strictObject({
            type: z.literal('Feature'),
            properties: z.strictObject({ name: words, start: at.optional(), rules: z.array(rule).min(1) }),
            geometry: multiPolygon,
          }),
        ),
      }),
      global_rules: z.array(rule).min(1),
    }),
  ),
  system_pricing_plans: feedOf(
    z.strictObject({
      plans: z.array(
        z.strictObject({
          plan_id: id,
          name: words,
          currency: z.literal('CNY'),
          price: z.number().min(0),
          is_taxable: z.boolean(),
          description: words,
          per_min_pricing: z.array(segment).optional(),
          per_km_pricing: z.array(segment).optional(),
          surge_pricing: z.boolean().optional(),
        }),
      ),
    }),
  ),
  system_regions: feedOf(z.strictObject({ regions: z.array(z.strictObject({ region_id: id, name: words })) })),
  system_alerts: feedOf(
    z.strictObject({
      alerts: z.array(
        z.strictObject({
          alert_id: id,
          type: z.enum(['system_closure', 'station_closure', 'station_move', 'other']),
          station_ids: z.array(id).optional(),
          summary: words,
          last_updated: at.optional(),
        }),
      ),
    }),
  ),
} as const satisfies Readonly<Record<GbfsFeedName, z.core.$ZodType>>

export type GbfsFeeds = { readonly [N in GbfsFeedName]: z.input<(typeof gbfsFeedSchemas)[N]> }
export type GbfsVehicle = GbfsFeeds['vehicle_status']['data']['vehicles'][number]
