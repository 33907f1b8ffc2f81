import { z } from 'zod'
import { mapAlarms, mapAlarmSchema, vehicleStateSchema, vehicleStates } from '#contract/fleet/vehicles.ts'
import { commandSchema } from '#contract/fleet/commands.ts'
import { chatMessageSchema } from '#contract/support/chat.ts'

/**
 * The live socket. The client speaks JSON text; the server speaks JSON text for events and binary for vehicles.
 * First message: `hello` with a call token bound to `GET` and the socket's path; nothing is sent before it is checked.
 */
const degrees = z.number().min(-180).max(180)
export const boundsSchema = z.strictObject({ west: degrees, south: degrees, east: degrees, north: degrees })
export type Bounds = z.infer<typeof boundsSchema>

const ids = z.array(z.int().min(1)).max(1_000)

/** Which vehicles a view shows, on top of what its person may see; what is absent asks for nothing. */
export const liveFilterSchema = z.strictObject({
  /** What a vehicle counts as: one that nobody hears is `non_contactable`, unless it is `missing` or `removed`. */
  states: z.array(vehicleStateSchema).max(vehicleStates.length).optional(),
  flag: z.enum(['low', 'alarm']).optional(),
  /** By the most urgent open alarm. */
  alarms: z.array(mapAlarmSchema).max(mapAlarms.length).optional(),
  /** Inclusive; a vehicle whose battery is unknown is not in any range. */
  batteryFrom: z.int().min(0).max(100).optional(),
  batteryTo: z.int().min(0).max(100).optional(),
  models: z.array(z.string().max(40)).max(50).optional(),
  /** Not ridden and not moved for at least so long. */
  idleMinutes: z.int().min(1).max(525_600).optional(),
  areaIds: ids.optional(),
})
export type LiveFilter = z.infer<typeof liveFilterSchema>

export const clientMessageSchema = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('hello'), token: z.string().max(64_000) }),
  /**
   * Asks for the vehicles inside; replaces the view before it. With the map's zoom the answer is clusters where single
   * vehicles would be too many to tell apart.
   */
  z.strictObject({
    type: z.literal('view'),
    bounds: boundsSchema,
    zoom: z.number().min(0).max(24).optional(),
    filter: liveFilterSchema.optional(),
  }),
  z.strictObject({ type: z.literal('unview') }),
  z.strictObject({ type: z.literal('ping') }),
])
export type ClientMessage = z.infer<typeof clientMessageSchema>
export const clientMessageMaxBytes = 70_000

export const serverEventSchema = z.discriminatedUnion('type', [
  z.object({ type: z.literal('ready'), serverTime: z.int() }),
  z.object({ type: z.literal('pong') }),
  z.object({ type: z.literal('command'), command: commandSchema }),
  z.object({ type: z.literal('chat'), message: chatMessageSchema }),
  /** Vehicles whose panel should be read again: something other than the binary record changed. */
  z.object({ type: z.literal('vehicle'), vehicleId: z.int() }),
  /** The person was told something: the inbox has more. */
  z.object({ type: z.literal('notice') }),
  /** Permissions or scope changed: read them again. */
  z.object({ type: z.literal('refresh') }),
  z.object({ type: z.literal('bye'), code: z.string() }),
])
export type ServerEvent = z.infer<typeof serverEventSchema>

/** Socket close codes of our own. */
export const closeCodes = {
  unauthorised: 4401,
  tooSlow: 4408,
  badMessage: 4400,
  /** The person has too many sockets open. */
  tooMany: 4429,
  goingAway: 1001,
} as const

export {
  decodeLiveFrame,
  encodeLiveFrame,
  type LiveCluster,
  type LiveFrame,
  type LiveFrameBytes,
  type LiveVehicle,
} from '#contract/telemetry/frame.ts'
