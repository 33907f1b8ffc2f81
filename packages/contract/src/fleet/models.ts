import { z } from 'zod'
import { answerOf, instantSchema, plainTextSchema, searchTextSchema, visibleText } from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { fields, list } from '#contract/list.ts'
import { deviceProfileSchema, jt808ProfileSchema, omniProfileSchema } from './deviceProfiles.ts'
import { modelNameSchema } from './registration.ts'
import { deviceProtocolLabels, deviceProtocols } from './protocols.ts'

/** As many models as the list knows, those with most vehicles first; a filter finds the others. */
export const modelsMax = 1_000

/** The devices of one protocol among the vehicles of one model. */
export const vehicleModelSchema = z.object({
  model: z.string(),
  protocol: z.enum(deviceProtocols),
  /** Of the scope. */
  vehicles: z.int(),
  /** Null: none was set, or the one that is stored cannot be read; each device follows its own then. */
  profile: deviceProfileSchema.nullable(),
  /** Names of the profiles that its devices carry; they count where the model has none. */
  deviceProfiles: z.array(z.string()),
  /** Counts the changes; 0: no profile was set. */
  version: z.int(),
  changedAt: instantSchema.nullable(),
  /** The platform's people alone are told. */
  changedBy: z.string().nullable(),
  /** The caller works for the platform, whose the profiles are. */
  maySet: z.boolean(),
})
export type VehicleModel = z.infer<typeof vehicleModelSchema>

export const vehicleModelFilterSchema = z.strictObject({
  /** Start of the model's name. */
  keyword: searchTextSchema.max(40).optional(),
  protocols: z.array(z.enum(deviceProtocols)).min(1).max(deviceProtocols.length).optional(),
})
export type VehicleModelFilter = z.output<typeof vehicleModelFilterSchema>

export const vehicleModelFields = fields<VehicleModel>()({
  model: '型号',
  protocol: { title: '协议', labels: deviceProtocolLabels },
  vehicles: { title: '车辆', as: 'count', unit: '辆' },
  profile: '锁控协议',
  changedAt: { title: '最近修改', as: 'instant' },
  changedBy: '修改人',
})

export const vehicleModelList = list({
  row: vehicleModelSchema,
  filter: vehicleModelFilterSchema,
  sorts: { vehicles: 'desc', model: 'asc' },
})

const calls = { host: 'platform', scope: 'area', idempotency: 'none' } as const

export const vehicleModelEndpoints = defineEndpoints({
  listVehicleModels: {
    ...calls,
    ...vehicleModelList.page,
    path: `${basePath}/device/models`,
    permission: ['0308'],
    summary: '车型与协议：车辆数、锁控指令与确认依据，车辆多的在前',
  },
  exportVehicleModels: {
    ...calls,
    ...vehicleModelList.file,
    path: `${basePath}/device/models/export`,
    permission: ['0308'],
    summary: '导出车型与协议（CSV）',
  },
  setVehicleModel: {
    ...calls,
    method: 'POST',
    path: `${basePath}/device/models/set`,
    permission: ['030803'],
    summary: '设置一个车型的锁控协议，仅限平台人员；对所有加盟商的该车型车辆立即生效',
    input: z.object({
      model: modelNameSchema,
      /** Null: each device follows its own again. */
      profile: z.discriminatedUnion('protocol', [jt808ProfileSchema, omniProfileSchema]).nullable(),
      protocol: z.enum(deviceProtocols),
      /** The version that was shown: whoever changed it meanwhile is not overwritten. */
      version: z.int().min(0),
      reason: plainTextSchema.overwrite(visibleText).min(1, { error: '请填写原因' }).max(200),
    }),
    output: answerOf(vehicleModelSchema),
  },
})
