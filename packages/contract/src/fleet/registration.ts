import { z } from 'zod'
import { answerOf, answeredIdSchema, idSchema, instantSchema, plainTextSchema, visibleText } from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { deviceProtocols } from './protocols.ts'

/** How long a JT/T 808 terminal may register after staff said so, and the longest that they may say. */
export const registrationWindowMinutes = { usual: 30, longest: 1_440 } as const

export const vehicleNumberSchema = plainTextSchema
  .overwrite((text) => visibleText(text).toUpperCase())
  .regex(/^[A-Z0-9]{4,20}$/, { error: '车辆编号须为 4 至 20 位字母或数字' })
export const imeiSchema = plainTextSchema.overwrite(visibleText).regex(/^\d{15}$/, { error: 'IMEI 须为 15 位数字' })
const terminalNumberSchema = plainTextSchema.overwrite(visibleText).regex(/^\d{12}$/, { error: '终端号须为 12 位数字' })
const plateSchema = plainTextSchema
  .overwrite((text) => visibleText(text).replaceAll(/\s/g, '').toUpperCase())
  .min(1)
  .max(20, { error: '车牌不超过 20 个字' })
export const modelNameSchema = plainTextSchema.overwrite(visibleText).min(1).max(40)
const whySchema = plainTextSchema.overwrite(visibleText).min(1, { error: '请填写原因' }).max(200)

/** One vehicle with its device; the area says whose it is. */
export const registrationSchema = z.object({
  number: vehicleNumberSchema,
  imei: imeiSchema,
  /** Of a JT/T 808 terminal of 2013, which names itself by it instead of by its IMEI. */
  terminalNumber: terminalNumberSchema.optional(),
  protocol: z.enum(deviceProtocols),
  model: modelNameSchema,
  areaId: idSchema,
  plate: plateSchema.optional(),
  /** Takes an IMEI whose last digit does not check the others: some makers number that way. */
  isImeiUnchecked: z.boolean().default(false),
})
export type RegistrationForm = z.output<typeof registrationSchema>

/** What a device must be told so that it finds the platform. Secrets are asked for apart. */
export const deviceAccessSchema = z.object({
  vehicleId: answeredIdSchema,
  number: z.string(),
  imei: z.string(),
  terminalNumber: z.string().nullable(),
  plate: z.string().nullable(),
  model: z.string(),
  protocol: z.enum(deviceProtocols),
  company: z.string(),
  areaName: z.string(),
  /** Null: the platform does not know its own name outside; DEVICE_HOST says it. */
  host: z.string().nullable(),
  port: z.int(),
  /** Null: this protocol has no encrypted port here. */
  tlsPort: z.int().nullable(),
  /** Of the operator's own MQTT broker, where vehicles may speak to it instead; its people give out its passwords. */
  broker: z.string().nullable(),
  userName: z.string().nullable(),
  clientId: z.string().nullable(),
  topics: z.array(z.string()),
  /** Omni devices have none. */
  hasSecret: z.boolean(),
  /** How often the secret was changed. */
  secretChanges: z.int(),
  /** A JT/T 808 terminal has registered and has its code. */
  isClaimed: z.boolean(),
  registrationOpenUntil: instantSchema.nullable(),
  heardAt: instantSchema.nullable(),
})
export type DeviceAccess = z.infer<typeof deviceAccessSchema>

const ofVehicle = { vehicleId: idSchema }
const calls = { host: 'platform', scope: 'area', idempotency: 'none' } as const

export const registrationEndpoints = defineEndpoints({
  registerVehicle: {
    ...calls,
    method: 'POST',
    path: `${basePath}/device/register`,
    permission: ['030801'],
    summary: '登记一辆车及其设备，返回设备的接入配置',
    input: registrationSchema,
    output: answerOf(deviceAccessSchema),
  },
  unregisterVehicle: {
    ...calls,
    method: 'POST',
    path: `${basePath}/device/unregister`,
    permission: ['030801'],
    summary: '撤销登记：仅限从未上报、也没有任何业务记录的车辆',
    input: z.object({ ...ofVehicle, reason: whySchema }),
    output: answerOf(z.object({ number: z.string() })),
  },
  deviceAccess: {
    ...calls,
    method: 'GET',
    path: `${basePath}/device/access`,
    permission: ['0308'],
    summary: '一台设备的接入配置：地址、端口、客户端标识与注册窗口，不含密码',
    input: z.object(ofVehicle),
    output: answerOf(deviceAccessSchema),
  },
  showDeviceSecret: {
    ...calls,
    method: 'POST',
    path: `${basePath}/device/secret/show`,
    permission: ['030802'],
    summary: '查看设备密码（MQTT 密码或 JT/T 808 鉴权码），写入设备日志',
    input: z.object(ofVehicle),
    output: answerOf(z.object({ secret: z.string() })),
  },
  changeDeviceSecret: {
    ...calls,
    method: 'POST',
    path: `${basePath}/device/secret/change`,
    permission: ['030802'],
    summary: '更换设备密码：旧密码立即失效，在线连接断开；JT/T 808 终端同时被释放，须重新注册',
    input: z.object({ ...ofVehicle, reason: whySchema }),
    output: answerOf(deviceAccessSchema),
  },
  openRegistration: {
    ...calls,
    method: 'POST',
    path: `${basePath}/device/registration/open`,
    permission: ['030802'],
    summary: '开放或关闭（0 分钟）JT/T 808 终端的注册窗口',
    input: z.object({
      ...ofVehicle,
      minutes: z.int().min(0).max(registrationWindowMinutes.longest).default(registrationWindowMinutes.usual),
    }),
    output: answerOf(deviceAccessSchema),
  },
})
