import { z } from 'zod'
import { answerOf, plainTextSchema } from '#contract/answers.ts'
import { phonePattern } from '#contract/constants.ts'
import { bodyLimits, defineEndpoints } from '#contract/endpoint.ts'
import { photoSchema, photosSchema } from '#contract/photos/photo.ts'
import { certNumberPattern, riderNameMax } from './people.ts'
import { organisationMax, certificateKinds, certificatePhotosMax, certificateStates } from './certificates.ts'
import { rebindPhotosMax, rebindReasonMax, rebindStates } from './rebinds.ts'

/** What an application of riders says of one of them, and asks for on behalf of them. */

const path = '/rider/v1'
const phone = z.string().regex(phonePattern)
const text = (max: number) => plainTextSchema.trim().min(1).max(max)
const name = text(riderNameMax)
const certNumber = z.string().toUpperCase().regex(certNumberPattern)
/** The company that the rider is a customer of; absent: the application's own. */
const agentId = z.coerce.number().int().positive().optional()
const app = { host: 'platform', permission: 'app', scope: 'none', idempotency: 'none' } as const

/** The telephone that an application runs on; of its id only a keyed hash is kept. */
export const riderDeviceSchema = z.object({ id: text(200), model: text(80), system: text(80), appVersion: text(40) })

export const riderSelfSchema = z.object({
  certified: z.boolean(),
  /** May not ride at present. */
  banned: z.boolean(),
  certificate: z
    .object({ kind: z.enum(certificateKinds), state: z.enum(certificateStates), reason: z.string() })
    .nullable(),
})

export const riderSelfEndpoints = defineEndpoints({
  openApp: {
    ...app,
    method: 'POST',
    path: `${path}/open`,
    summary: '用户打开应用：登记所用设备与最近活跃时间，返回认证与黑名单状态',
    input: z.object({
      phone,
      agentId,
      device: riderDeviceSchema,
    }),
    output: answerOf(riderSelfSchema),
  },
  certifyRider: {
    ...app,
    method: 'POST',
    path: `${path}/certify`,
    summary: '实名认证：登记姓名与证件号（由应用核验后提交）；证件已被其他账号使用时请申请换绑',
    input: z.object({ phone, agentId, name, certNumber }),
    output: answerOf(riderSelfSchema),
  },
  submitCertificate: {
    ...app,
    method: 'POST',
    path: `${path}/certificate`,
    bodyLimitBytes: bodyLimits.photos,
    summary: '提交学生或职业证明，等待审核；同一种证明同时只能有一份待审核',
    input: z.object({
      phone,
      agentId,
      kind: z.enum(certificateKinds),
      organisation: text(organisationMax),
      photos: z.array(photoSchema).min(1).max(certificatePhotosMax),
    }),
    output: answerOf(riderSelfSchema),
  },
  askRebind: {
    ...app,
    method: 'POST',
    path: `${path}/rebind`,
    bodyLimitBytes: bodyLimits.photos,
    summary: '申请换绑：更换手机号（newPhone），或把旧账号的实名证件换绑到本账号（name、certNumber）',
    input: z
      .object({
        phone,
        agentId,
        newPhone: phone.optional(),
        name: name.optional(),
        certNumber: certNumber.optional(),
        claim: plainTextSchema.trim().max(rebindReasonMax).default(''),
        photos: photosSchema(rebindPhotosMax),
      })
      .refine(
        ({ newPhone, name: asked, certNumber: number }) =>
          (newPhone !== undefined && asked === undefined && number === undefined) ||
          (newPhone === undefined && asked !== undefined && number !== undefined),
        { error: '请给出新手机号，或姓名与证件号' },
      ),
    output: answerOf(z.object({ state: z.enum(rebindStates) })),
  },
})
