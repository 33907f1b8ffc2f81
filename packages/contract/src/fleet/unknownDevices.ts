import { z } from 'zod'
import { answerOf, answeredIdSchema, instantSchema, plainTextSchema, searchTextSchema } from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { fields, list } from '#contract/list.ts'
import { deviceAccessSchema, registrationSchema } from './registration.ts'
import { deviceProtocolLabels, deviceProtocols } from './protocols.ts'

/** Why a device that called was not let in. */
export const heldReasons = ['unknown', 'secret', 'protocol'] as const
export type HeldReason = (typeof heldReasons)[number]
export const heldReasonLabels: Readonly<Record<HeldReason, string>> = {
  unknown: '未登记',
  secret: '密码或鉴权码不符',
  protocol: '协议与登记不符',
}

export const unknownDeviceStates = ['open', 'refused', 'accepted'] as const
export type UnknownDeviceState = (typeof unknownDeviceStates)[number]
export const unknownDeviceStateLabels: Readonly<Record<UnknownDeviceState, string>> = {
  open: '待处理',
  refused: '已拒绝',
  accepted: '已登记',
}

export const unknownDeviceSchema = z.object({
  /** The IMEI or the terminal number, as it named itself. */
  name: z.string(),
  protocol: z.enum(deviceProtocols),
  reason: z.enum(heldReasons),
  firstSeenAt: instantSchema,
  lastSeenAt: instantSchema,
  tries: z.int(),
  address: z.string(),
  state: z.enum(unknownDeviceStates),
  decidedAt: instantSchema.nullable(),
  decidedBy: z.string().nullable(),
  note: z.string().nullable(),
  /** The vehicle that has this device; null when nobody registered it. */
  vehicle: z
    .object({
      id: answeredIdSchema,
      number: z.string(),
      protocol: z.enum(deviceProtocols),
      heardAt: instantSchema.nullable(),
    })
    .nullable(),
})
export type UnknownDevice = z.infer<typeof unknownDeviceSchema>

export const unknownDeviceFilterSchema = z.strictObject({
  /** Start of an IMEI or a terminal number, or an address. */
  keyword: searchTextSchema.max(45).optional(),
  states: z.array(z.enum(unknownDeviceStates)).min(1).max(unknownDeviceStates.length).optional(),
  protocols: z.array(z.enum(deviceProtocols)).min(1).max(deviceProtocols.length).optional(),
  reasons: z.array(z.enum(heldReasons)).min(1).max(heldReasons.length).optional(),
})

export const unknownDeviceFields = fields<UnknownDevice>()({
  name: 'IMEI 或终端号',
  protocol: { title: '协议', labels: deviceProtocolLabels },
  reason: { title: '被拒原因', labels: heldReasonLabels },
  state: { title: '状态', labels: unknownDeviceStateLabels },
  vehicle: '登记在',
  tries: { title: '来访', as: 'count', unit: '次' },
  firstSeenAt: { title: '首次来访', as: 'instant' },
  lastSeenAt: { title: '最近来访', as: 'instant' },
  address: '来源地址',
  decidedBy: '处理人',
  decidedAt: { title: '处理时间', as: 'instant' },
  note: '原因',
})

export const unknownDeviceList = list({
  row: unknownDeviceSchema,
  filter: unknownDeviceFilterSchema,
  sorts: { lastSeen: 'desc' },
})

const nameSchema = z.string().regex(/^[0-9]{12,20}$/)
const calls = { host: 'platform', scope: 'area', idempotency: 'none' } as const

export const unknownDeviceEndpoints = defineEndpoints({
  listUnknownDevices: {
    ...calls,
    ...unknownDeviceList.page,
    path: `${basePath}/device/unknown`,
    permission: ['0308'],
    summary: '被拒之门外的设备：未登记、密码不符或协议不符，最近来访的在前',
  },
  exportUnknownDevices: {
    ...calls,
    ...unknownDeviceList.file,
    path: `${basePath}/device/unknown/export`,
    permission: ['0308'],
    summary: '导出被拒之门外的设备（CSV）',
  },
  acceptUnknownDevice: {
    ...calls,
    method: 'POST',
    path: `${basePath}/device/unknown/accept`,
    permission: ['030801'],
    summary: '接受一台未登记的设备：登记车辆，返回设备的接入配置',
    input: z.object({ name: nameSchema, registration: registrationSchema }),
    output: answerOf(deviceAccessSchema),
  },
  refuseUnknownDevice: {
    ...calls,
    method: 'POST',
    path: `${basePath}/device/unknown/refuse`,
    reverse: 'reopenUnknownDevice',
    permission: ['030801'],
    summary: '拒绝一台设备，附原因；未登记的设备此后不能登记，直到撤销',
    input: z.object({
      name: nameSchema,
      reason: plainTextSchema.trim().min(1, { error: '请填写原因' }).max(200),
    }),
    output: answerOf(unknownDeviceSchema),
  },
  reopenUnknownDevice: {
    ...calls,
    method: 'POST',
    path: `${basePath}/device/unknown/reopen`,
    permission: ['030801'],
    summary: '撤销对一台设备的决定：取消拒绝，或撤销尚未使用的登记',
    input: z.object({ name: nameSchema }),
    output: answerOf(unknownDeviceSchema),
  },
})
