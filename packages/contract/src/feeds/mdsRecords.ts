import { z } from 'zod'
import { vehicleStates } from '#contract/fleet/vehicles.ts'
import { dayMs, minuteMs } from '#contract/time.ts'
import { gbfsFormFactors, gbfsPropulsions } from './gbfs.ts'

/**
 * The records of MDS 2.0.2 provider, after the text of the standard: its OpenAPI refuses every vehicle. Fields that we do not
 * mean to send are refused.
 */

export const mdsVersion = '2.0.2'
export const mdsPath = '/mds'
export const mdsTokenPath = `${mdsPath}/oauth/token`
/** What a request accepts and an answer is; versions are named by major and minor. */
export const mdsMediaType = 'application/vnd.mds+json'
export const mdsReportMediaType = 'text/vnd.mds+csv'
export const mdsAcceptedVersion = '2.0'
export const mdsJson = `${mdsMediaType};version=${mdsAcceptedVersion}`
export const mdsCsv = `${mdsReportMediaType};version=${mdsAcceptedVersion}`

export const mdsTokenSeconds = 3_600
/** Near-realtime answers are made when they are asked for; asking more often than this shows little. */
export const mdsTtlMs = minuteMs
/** Vehicles that left the streets stay in the status for so long. */
export const mdsLeftMs = 90 * minuteMs
/** Vehicles are listed for so long after they were last in the jurisdiction. */
export const mdsVehicleMs = 30 * dayMs
export const mdsRecentMs = 14 * dayMs
/** An hour is complete this long after it has ended. */
export const mdsSettledMs = 2 * minuteMs
export const mdsPageMax = 1_000
export const mdsPerMinute = 600
/** Counts below it are reported as −1. */
export const mdsReportLeast = 10

const uuid = z.uuid()
const timestamp = z.int().min(0)
const percent = z.int().min(0).max(100)
const place = z.strictObject({
  lat: z.number().min(-90).max(90),
  lng: z.number().min(-180).max(180),
  heading: z.number().min(0).max(360).optional(),
  /** Metres a second. */
  speed: z.number().min(0).optional(),
})
const own = { provider_id: uuid, device_id: uuid }

export const mdsVehicleSchema = z.strictObject({
  ...own,
  vehicle_id: z.string().min(1),
  vehicle_type: z.enum(gbfsFormFactors),
  vehicle_attributes: z.strictObject({ model: z.string() }),
  propulsion_types: z.array(z.enum(gbfsPropulsions)).min(1),
})
export const mdsEventSchema = z.strictObject({
  ...own,
  event_id: uuid,
  vehicle_state: z.enum(vehicleStates),
  event_types: z.array(z.string().regex(/^[a-z_]+$/)).min(1),
  timestamp,
  publication_time: timestamp,
  location: place,
  battery_percent: percent.optional(),
  trip_ids: z.array(uuid).min(1).optional(),
})
export const mdsTelemetrySchema = z.strictObject({
  ...own,
  telemetry_id: uuid,
  timestamp,
  trip_ids: z.array(uuid).min(1).nullable(),
  /** Not used by micromobility. */
  journey_id: z.null(),
  stop_id: uuid.optional(),
  location: place,
  battery_percent: percent.optional(),
})
export const mdsVehicleStatusSchema = z.strictObject({
  ...own,
  last_event: mdsEventSchema,
  last_telemetry: mdsTelemetrySchema,
})
export const mdsTripSchema = z
  .strictObject({
    ...own,
    trip_id: uuid,
    trip_type: z.literal('rider'),
    start_time: timestamp,
    end_time: timestamp,
    start_location: place,
    end_location: place,
    /** Seconds and metres. */
    duration: z.int().min(0),
    distance: z.int().min(0),
    publication_time: timestamp,
    /** What the rider was charged for the ride, in cents of `currency`. */
    actual_cost: z.int().min(0),
    currency: z.literal('CNY'),
  })
  .refine((trip) => trip.start_time <= trip.end_time, { error: 'end_time lies before start_time' })
const counts = z.partialRecord(z.enum(gbfsFormFactors), z.int().min(0))
export const mdsStopSchema = z.strictObject({
  stop_id: uuid,
  provider_id: uuid,
  name: z.string().min(1),
  last_updated: timestamp,
  location: place,
  status: z.strictObject({ is_installed: z.boolean(), is_renting: z.boolean(), is_returning: z.boolean() }),
  capacity: counts,
  num_vehicles_available: counts,
  num_vehicles_disabled: counts,
})

export type MdsVehicle = z.infer<typeof mdsVehicleSchema>
export type MdsEvent = z.infer<typeof mdsEventSchema>
export type MdsTelemetry = z.infer<typeof mdsTelemetrySchema>
export type MdsVehicleStatus = z.infer<typeof mdsVehicleStatusSchema>
export type MdsTrip = z.infer<typeof mdsTripSchema>
export type MdsStop = z.infer<typeof mdsStopSchema>

const version = z.literal(mdsVersion)
const links = z.strictObject({ first: z.url(), next: z.url().nullable() })
const now = { last_updated: timestamp, ttl: z.int().min(0).max(300_000) }

/** The whole answers. */
export const mdsAnswerSchemas = {
  vehicles: z.strictObject({ version, vehicles: z.array(mdsVehicleSchema), links }),
  vehiclesStatus: z.strictObject({ version, ...now, vehicles_status: z.array(mdsVehicleStatusSchema), links }),
  trips: z.strictObject({ version, trips: z.array(mdsTripSchema) }),
  eventsHistorical: z.strictObject({ version, events: z.array(mdsEventSchema) }),
  eventsRecent: z.strictObject({ version, ...now, events: z.array(mdsEventSchema), links }),
  telemetry: z.strictObject({ version, telemetry: z.array(mdsTelemetrySchema) }),
  stops: z.strictObject({ version, ...now, stops: z.array(mdsStopSchema) }),
} as const

const hourPattern = /^(\d{4})-(\d{2})-(\d{2})T(\d{2})$/

/** The beginning of an hour in UTC that is written as `YYYY-MM-DDTHH`; null where it is not one. */
export function mdsHourOf(text: string): number | null {
  if (!hourPattern.test(text)) return null
  const at = Date.parse(`${text}:00:00.000Z`)
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 13) !== text ? null : at
}
