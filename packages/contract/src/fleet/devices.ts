import { z } from 'zod'
import { answerOf, idSchema, instantSchema, plainTextSchema, searchTextSchema } from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { vehicleReaders } from './access.ts'
import { deviceProtocols } from './protocols.ts'
import { vehicleStateSchema } from './vehicles.ts'

export const deviceSchema = z.object({
  vehicleId: idSchema,
  number: z.string(),
  imei: z.string(),
  protocol: z.enum(deviceProtocols),
  profile: z.string(),
  firmware: z.string().nullable(),
  online: z.boolean(),
  heardAt: instantSchema.nullable(),
  signal: z.number().nullable(),
  batteryPercent: z.number().nullable(),
  voltageV: z.number().nullable(),
  charging: z.boolean().nullable(),
  locked: z.boolean().nullable(),
  odometerM: z.number().nullable(),
  position: z.object({ lat: z.number(), lng: z.number(), at: instantSchema }).nullable(),
  /** What it reported in the last hours, an hour each, oldest first; hours without a report are there with zeros. */
  hours: z.array(
    z.object({
      at: instantSchema,
      reports: z.int(),
      /** Mean of the hour; null when nothing said it. */
      batteryPercent: z.number().nullable(),
      signal: z.number().nullable(),
      voltageV: z.number().nullable(),
    }),
  ),
})
export type Device = z.infer<typeof deviceSchema>
export const deviceHoursMax = 48

/** What an IMEI or a number is worth. A device of another company is told as unknown. */
export const deviceValidities = ['registered', 'unknown', 'malformed'] as const
export type DeviceValidity = (typeof deviceValidities)[number]
export const deviceValidityLabels: Readonly<Record<DeviceValidity, string>> = {
  registered: '已登记',
  unknown: '未登记',
  malformed: '格式不正确',
}

const tally = z.array(z.object({ name: z.string(), count: z.int() }))

export const monitoringSchema = z.object({
  total: z.int(),
  online: z.int(),
  /** As on the home page and the map; missing and removed vehicles without contact are neither online nor offline. */
  offline: z.int(),
  /** Of all vehicles: whose device has never sent a report. */
  neverHeard: z.int(),
  areas: z.array(
    z.object({
      areaId: idSchema,
      areaName: z.string(),
      total: z.int(),
      online: z.int(),
      lowBattery: z.int(),
      /** Mean over the vehicles that have told theirs. */
      batteryPercent: z.number().nullable(),
    }),
  ),
  /** Steps of ten percent: `from` 0, 10, … 90; of each, how many their companies count as low. */
  battery: z.array(z.object({ from: z.int(), count: z.int(), low: z.int() })),
  /** Levels as devices tell them, in steps of eight. */
  signal: z.array(z.object({ from: z.int(), count: z.int() })),
  /** Heard within the last minutes: 1, 10, 60, 1440, and longer ago (null). */
  heard: z.array(z.object({ withinMinutes: z.int().nullable(), count: z.int() })),
  protocols: z.array(z.object({ protocol: z.enum(deviceProtocols), total: z.int(), online: z.int() })),
  models: tally,
  firmwares: tally,
})
export type Monitoring = z.infer<typeof monitoringSchema>

export const gatewaySchema = z.object({
  node: z.string(),
  protocol: z.enum(deviceProtocols),
  startedAt: instantSchema,
  seenAt: instantSchema,
  /** It has told of itself lately. */
  alive: z.boolean(),
  sessions: z.int(),
  reports: z.int(),
  reportsPerSecond: z.number(),
  rejected: z.int(),
  /** Reports that wait for their commit. */
  waiting: z.int(),
})
export type GatewayHealth = z.infer<typeof gatewaySchema>
/** A gateway that has not told of itself for so long counts as gone. */
export const gatewayGoneAfterMs = 30_000

export const deviceEndpoints = defineEndpoints({
  deviceInfo: {
    method: 'GET',
    path: `${basePath}/deviceInfo`,
    host: 'platform',
    permission: vehicleReaders,
    scope: 'area',
    idempotency: 'none',
    summary: '一台设备：协议、固件、信号、电量、最近上报，以及近若干小时的走势',
    input: z
      .object({
        vehicleId: idSchema.optional(),
        number: searchTextSchema.max(40).optional(),
        imei: searchTextSchema.max(20).optional(),
        hours: z.coerce.number().int().min(1).max(deviceHoursMax).default(24),
      })
      .refine((by) => by.vehicleId !== undefined || by.number !== undefined || by.imei !== undefined, {
        error: '缺少车辆标识',
      }),
    output: answerOf(deviceSchema),
  },
  checkDevice: {
    method: 'GET',
    path: `${basePath}/device/valid`,
    host: 'platform',
    permission: ['0301', '0302', '0305', '0307', '06'],
    scope: 'area',
    idempotency: 'none',
    summary: '车辆编号或 IMEI 是否有效：格式、校验位与登记情况',
    input: z.object({ code: plainTextSchema.trim().min(1).max(40) }),
    output: answerOf(
      z.object({
        validity: z.enum(deviceValidities),
        vehicle: z.object({ id: idSchema, number: z.string(), imei: z.string() }).nullable(),
      }),
    ),
  },
  carInfo: {
    method: 'GET',
    path: `${basePath}/tools/carInfo`,
    host: 'platform',
    permission: ['0301', '0302', '0305', '0307', '06'],
    scope: 'area',
    idempotency: 'none',
    summary: '一辆车的登记信息：编号、IMEI、型号、协议、所属与投放时间',
    input: z.object({ code: plainTextSchema.trim().min(1).max(40) }),
    output: answerOf(
      z.object({
        id: idSchema,
        number: z.string(),
        imei: z.string(),
        model: z.string(),
        protocol: z.enum(deviceProtocols),
        firmware: z.string().nullable(),
        agentId: idSchema,
        company: z.string(),
        areaId: idSchema,
        areaName: z.string(),
        state: vehicleStateSchema,
        createdAt: instantSchema,
      }),
    ),
  },
  monitorDevices: {
    method: 'GET',
    path: `${basePath}/device/monitoring`,
    host: 'platform',
    permission: ['0305'],
    scope: 'area',
    idempotency: 'none',
    summary: '设备监控：在线、信号、电量、固件、协议与最近上报的分布',
    input: z.object({}),
    output: answerOf(monitoringSchema),
  },
  monitorGateways: {
    method: 'GET',
    path: `${basePath}/device/gateways`,
    host: 'platform',
    permission: ['0305'],
    scope: 'none',
    idempotency: 'none',
    summary: '接入网关的健康状况：会话数、上报速率、排队与拒绝',
    input: z.object({}),
    output: answerOf(z.object({ list: z.array(gatewaySchema) })),
  },
})
