import { z } from 'zod'
import { answerOf, idSchema, instantSchema, latSchema, lngSchema } from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { vehicleReaders } from '#contract/fleet/access.ts'
import { taskKinds } from '#contract/operations/taskWords.ts'
import { minuteMs } from '#contract/time.ts'

/** Vehicle states of MDS 2.0, micromobility; the order is the number on the binary wire. */
export const vehicleStates = [
  'available',
  'reserved',
  'on_trip',
  'non_operational',
  'elsewhere',
  'removed',
  'non_contactable',
  'missing',
] as const
export type VehicleState = (typeof vehicleStates)[number]
export const vehicleStateSchema = z.enum(vehicleStates)

export const vehicleStateLabels: Readonly<Record<VehicleState, string>> = {
  available: '可用',
  reserved: '已预约',
  on_trip: '骑行中',
  non_operational: '停运',
  elsewhere: '在区外',
  removed: '已撤出',
  non_contactable: '离线',
  missing: '失联',
}

/** Below this the vehicle counts as low on battery, unless its company has chosen otherwise. */
export const lowBatteryPercent = 20
/** Whether a vehicle counts as low on battery, for every count, filter and mark of that name. */
export const isLowBattery = (
  vehicle: { readonly batteryPercent: number | null; readonly state: VehicleState },
  below: number = lowBatteryPercent,
): boolean => vehicle.state !== 'removed' && vehicle.batteryPercent !== null && vehicle.batteryPercent < below
/** Below this nobody can ride it away any more, from this on it can again. */
export const batteryLowPercent = 10
export const batteryChargedPercent = 20
/**
 * Without a report for so long a vehicle counts as offline, unless its company has chosen otherwise; one that is missing or
 * removed keeps that state.
 */
export const offlineAfterMs = 10 * minuteMs

/** Alarms that the platform itself knows; a device may raise others. */
export const alarmKindLabels: Readonly<Record<string, string>> = {
  illegal_movement: '非法移动',
  fall: '车辆倾倒',
  low_battery: '低电量',
  offline: '离线',
  outside_area: '驶出服务区',
  power_cut: '断电',
  tamper: '拆卸',
  address_contest: '网络地址冲突',
}

/** Alarms that somebody has to look at now; the others are work of the day. */
export const seriousAlarms = ['illegal_movement', 'fall', 'power_cut', 'tamper', 'address_contest'] as const

/**
 * What the map tells of a vehicle's open alarms: the most urgent one, in this order; the place in the list is the number on
 * the binary wire, where 0 is none. `other` is an alarm that only its device knows.
 */
export const mapAlarms = [
  'tamper',
  'illegal_movement',
  'power_cut',
  'fall',
  'address_contest',
  'outside_area',
  'low_battery',
  'offline',
  'other',
] as const
export type MapAlarm = (typeof mapAlarms)[number]
export const mapAlarmSchema = z.enum(mapAlarms)

const mapAlarmOf = (kind: string): MapAlarm => mapAlarms.find((known) => known === kind) ?? 'other'

/** The most urgent of a vehicle's open alarms, by which the map draws, counts and filters it. */
export function worstAlarm(kinds: readonly string[]): MapAlarm | null {
  const present = new Set(kinds.map(mapAlarmOf))
  return mapAlarms.find((alarm) => present.has(alarm)) ?? null
}

export type AlarmUrgency = 'serious' | 'ordinary'
export const urgencyOf = (alarm: MapAlarm): AlarmUrgency =>
  seriousAlarms.some((kind) => kind === alarm) || alarm === 'other' ? 'serious' : 'ordinary'

export const vehicleSchema = z.object({
  id: idSchema,
  number: z.string(),
  imei: z.string(),
  model: z.string(),
  protocol: z.string(),
  agentId: idSchema,
  company: z.string(),
  areaId: idSchema,
  areaName: z.string(),
  state: vehicleStateSchema,
  online: z.boolean(),
  locked: z.boolean().nullable(),
  charging: z.boolean().nullable(),
  batteryPercent: z.number().nullable(),
  /** Below this it counts as low on battery: as its company has chosen. */
  lowBatteryBelow: z.int(),
  voltageV: z.number().nullable(),
  signal: z.number().nullable(),
  position: z
    .object({
      lat: z.number(),
      lng: z.number(),
      speedKmh: z.number().nullable(),
      headingDeg: z.number().nullable(),
      at: instantSchema,
    })
    .nullable(),
  heardAt: instantSchema.nullable(),
  openAlarms: z.array(z.object({ id: idSchema, kind: z.string(), openedAt: instantSchema })),
  firmware: z.string().nullable(),
  odometerM: z.number().nullable(),
  /** Since when nobody has ridden it; null while somebody does. */
  idleSince: instantSchema.nullable(),
  openTasks: z.array(
    z.object({ id: idSchema, kind: z.enum(taskKinds), openedAt: instantSchema, personName: z.string().nullable() }),
  ),
})
export type Vehicle = z.infer<typeof vehicleSchema>

/** So many of them are answered: whoever has seen all asks anew from where he stands then. */
export const nearestWorkMax = 20

/** A vehicle that waits for somebody, and why: at least one of the three. */
export const nearVehicleSchema = z.object({
  id: idSchema,
  number: z.string(),
  lat: z.number(),
  lng: z.number(),
  distanceM: z.number(),
  batteryPercent: z.number().nullable(),
  lowBattery: z.boolean(),
  /** Kinds of open alarms. */
  alarms: z.array(z.string()),
  /** Kinds of open tasks. */
  tasks: z.array(z.enum(taskKinds)),
})
export type NearVehicle = z.infer<typeof nearVehicleSchema>

export const vehicleEndpoints = defineEndpoints({
  singleDeviceInfo: {
    method: 'GET',
    path: `${basePath}/singleDevInfo`,
    host: 'platform',
    permission: vehicleReaders,
    scope: 'area',
    idempotency: 'none',
    summary: '一辆车的全部现状：按车辆编号、IMEI 或标识',
    input: z
      .object({ id: idSchema.optional(), number: z.string().max(40).optional(), imei: z.string().max(20).optional() })
      .refine((by) => by.id !== undefined || by.number !== undefined || by.imei !== undefined, {
        error: '缺少车辆标识',
      }),
    output: answerOf(vehicleSchema),
  },
  aggregateByType: {
    method: 'GET',
    path: `${basePath}/aggByType`,
    host: 'platform',
    permission: 'session',
    scope: 'area',
    idempotency: 'none',
    summary: '范围内车辆按状态计数，另计低电量、离线与未关闭告警',
    input: z.object({}),
    output: answerOf(
      z.object({
        total: z.int(),
        states: z.record(vehicleStateSchema, z.int()),
        lowBattery: z.int(),
        offline: z.int(),
        openAlarms: z.int(),
        /** Vehicles by their most urgent open alarm. */
        alarmVehicles: z.record(mapAlarmSchema, z.int()),
      }),
    ),
  },
  nearestWork: {
    method: 'GET',
    path: `${basePath}/platform/vehicles/nearestWork`,
    host: 'platform',
    permission: vehicleReaders,
    scope: 'area',
    idempotency: 'none',
    summary: '离一个位置最近、需要处理的车辆：有未关闭告警、未完成任务或低电量；骑行中与已撤出的除外',
    input: z.object({ lat: z.coerce.number().pipe(latSchema), lng: z.coerce.number().pipe(lngSchema) }),
    output: answerOf(z.object({ list: z.array(nearVehicleSchema).max(nearestWorkMax) })),
  },
})
