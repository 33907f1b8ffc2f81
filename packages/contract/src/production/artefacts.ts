import { z } from 'zod'
import {
  answeredIdSchema,
  answerOf,
  idSchema,
  instantSchema,
  plainTextSchema,
  searchTextSchema,
} from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { bodyLimits, defineEndpoints } from '#contract/endpoint.ts'
import { deviceProtocols, deviceProtocolLabels } from '#contract/fleet/protocols.ts'
import { fields, list } from '#contract/list.ts'

/** Firmware and voice packs: bytes with their digest and a signature that was made elsewhere. */

export const artefactKinds = ['firmware', 'voice'] as const
export type ArtefactKind = (typeof artefactKinds)[number]
export const artefactKindLabels: Readonly<Record<ArtefactKind, string>> = { firmware: '固件', voice: '语音包' }

export const artefactStates = ['on', 'off'] as const
export type ArtefactState = (typeof artefactStates)[number]
export const artefactStateLabels: Readonly<Record<ArtefactState, string>> = { on: '可用', off: '已停用' }

/** By the first bytes of the file; `sdfw` is an image with the header that `docs/devices.md` describes. */
export const artefactFormats = ['sdfw', 'wav', 'mp3', 'amr'] as const
export type ArtefactFormat = (typeof artefactFormats)[number]

export const artefactBytesMax = { firmware: 1_048_576, voice: 524_288 } as const
export const artefactNameMax = 40
export const artefactNoteMax = 200
export const artefactListMax = 50
const versionPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,19}$/
export const artefactVersionSchema = z
  .string()
  .regex(versionPattern, { error: '版本号为 1 至 20 个字母、数字、点、横线' })
const modelSchema = plainTextSchema.trim().min(1).max(40)

export const artefactSchema = z.object({
  id: answeredIdSchema,
  agentId: answeredIdSchema,
  company: z.string(),
  kind: z.enum(artefactKinds),
  state: z.enum(artefactStates),
  name: z.string(),
  version: z.string(),
  protocol: z.enum(deviceProtocols),
  /** Empty: every model of the protocol. */
  models: z.array(z.string()),
  /** Versions that it may follow; empty: every version. */
  follows: z.array(z.string()),
  format: z.enum(artefactFormats),
  bytes: z.int(),
  sha256: z.string(),
  signer: z.string(),
  note: z.string(),
  /** Vehicles that have it by a campaign, and campaigns that are not over. */
  installed: z.int(),
  campaigns: z.int(),
  createdAt: instantSchema,
  createdBy: z.string(),
})
export type Artefact = z.infer<typeof artefactSchema>

export const artefactFilterSchema = z.strictObject({
  kind: z.enum(artefactKinds).optional(),
  states: z.array(z.enum(artefactStates)).min(1).max(artefactStates.length).optional(),
  protocol: z.enum(deviceProtocols).optional(),
  /** Part of name or version. */
  text: searchTextSchema.min(1).max(40).optional(),
  id: idSchema.optional(),
})
export type ArtefactFilter = z.output<typeof artefactFilterSchema>

export const artefactList = list({ row: artefactSchema, filter: artefactFilterSchema, sorts: { created: 'desc' } })

export const artefactFields = fields<Artefact>()({
  id: '编号',
  name: '名称',
  version: '版本',
  kind: { title: '类型', labels: artefactKindLabels },
  state: { title: '状态', labels: artefactStateLabels },
  protocol: { title: '协议', labels: deviceProtocolLabels },
  bytes: { title: '大小（字节）', as: 'count' },
  installed: { title: '活动安装的车辆', as: 'count' },
  campaigns: { title: '进行中的活动', as: 'count' },
  sha256: '摘要（SHA-256）',
  signer: '签名密钥',
  note: '备注',
  company: '加盟商',
  createdAt: { title: '上传时间', as: 'instant' },
  createdBy: '上传人',
})

export const artefactUploadSchema = z.object({
  agentId: idSchema,
  kind: z.enum(artefactKinds),
  name: plainTextSchema.trim().min(1).max(artefactNameMax),
  version: artefactVersionSchema,
  protocol: z.enum(deviceProtocols),
  models: z.array(modelSchema).max(artefactListMax).default([]),
  follows: z.array(artefactVersionSchema).max(artefactListMax).default([]),
  note: plainTextSchema.trim().max(artefactNoteMax).default(''),
  /** Of the bytes, by a key that the platform does not have. */
  signature: z
    .string()
    .trim()
    .regex(/^[A-Za-z0-9+/]{86}==$/, { error: '签名为 64 字节的 Base64' }),
  base64: z
    .string()
    .min(4)
    .max(Math.ceil(artefactBytesMax.firmware / 3) * 4)
    .regex(/^[A-Za-z0-9+/]+={0,2}$/),
})
export type ArtefactUpload = z.output<typeof artefactUploadSchema>

const path = `${basePath}/production/artefacts`
/** Everybody who is logged in, of their companies and areas. */
export const productionReads = { host: 'platform', permission: 'session' } as const
export const productionFiles = { host: 'platform', permission: ['06', '0601'] } as const
export const productionWorks = { host: 'platform', permission: ['0601'], method: 'POST', idempotency: 'key' } as const

export const artefactEndpoints = defineEndpoints({
  listArtefacts: {
    ...productionReads,
    ...artefactList.page,
    scope: 'agent',
    path,
    summary: '固件与语音包，新的在前',
  },
  exportArtefacts: {
    ...productionFiles,
    ...artefactList.file,
    scope: 'agent',
    path: `${path}/export`,
    summary: '导出固件与语音包清单（CSV）',
  },
  uploadArtefact: {
    ...productionWorks,
    scope: 'agent',
    path,
    bodyLimitBytes: bodyLimits.photos,
    summary: '上传固件或语音包：文件格式、大小与签名都通过才保存',
    input: artefactUploadSchema,
    output: answerOf(z.object({ id: answeredIdSchema })),
  },
  switchArtefact: {
    ...productionWorks,
    scope: 'agent',
    path: `${path}/state`,
    reverse: 'switchArtefact',
    summary: '停用或启用：停用后不能新建活动，进行中的活动不受影响',
    input: z.object({ id: idSchema, state: z.enum(artefactStates) }),
    output: answerOf(z.object({ id: answeredIdSchema, state: z.enum(artefactStates) })),
  },
  listenToVoice: {
    ...productionReads,
    scope: 'agent',
    method: 'GET',
    idempotency: 'none',
    path: `${path}/voice`,
    summary: '试听语音包',
    input: z.object({ id: idSchema }),
    output: answerOf(z.object({ format: z.enum(artefactFormats), base64: z.string() })),
  },
})
