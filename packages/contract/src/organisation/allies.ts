import { z } from 'zod'
import {
  answerOf,
  answeredIdSchema,
  idSchema,
  instantSchema,
  none,
  plainTextSchema,
  searchTextSchema,
} from '#contract/answers.ts'
import { basePath, phonePattern } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { phoneSchema } from '#contract/identity/login.ts'
import { fields, list } from '#contract/list.ts'

const ally = { host: 'platform', permission: ['1002'], scope: 'agent', path: `${basePath}/allyInfo` } as const
export const allySchema = z.object({
  id: answeredIdSchema,
  agentId: answeredIdSchema,
  company: z.string(),
  name: z.string(),
  /** Whole in lists, masked for one just added. */
  phone: z.string(),
  note: z.string(),
  createdAt: instantSchema,
  createdBy: z.string(),
})
export type Ally = z.infer<typeof allySchema>

export const allyFilterSchema = z.strictObject({
  /** Part of a name. */
  keyword: searchTextSchema.max(40).optional(),
  /** Whole. */
  phone: z.string().regex(phonePattern).optional(),
})
export const allyFields = fields<Ally>()({
  phone: '手机号',
  name: '姓名',
  company: '加盟商',
  note: '备注',
  createdBy: '登记人',
  createdAt: { title: '登记时间', as: 'instant' },
})
export const allyList = list({
  row: allySchema,
  filter: allyFilterSchema,
  sorts: { created: 'desc', name: 'asc' },
  secret: ['phone'],
})

/** Franchisers: whom a company answers to, kept by phone. */
export const allyEndpoints = defineEndpoints({
  listAllies: {
    ...ally,
    ...allyList.page,
    summary: '加盟联系人，按手机号管理',
  },
  exportAllies: {
    ...ally,
    ...allyList.file,
    path: `${ally.path}/export`,
    summary: '导出加盟联系人（CSV）：手机号只含一部分',
  },
  createAlly: {
    ...ally,
    method: 'POST',
    idempotency: 'key',
    summary: '登记加盟联系人',
    input: z.object({
      agentId: idSchema.optional(),
      phone: phoneSchema,
      name: plainTextSchema.trim().min(1).max(40),
      note: plainTextSchema.trim().max(200).default(''),
    }),
    output: answerOf(allySchema),
  },
  removeAlly: {
    ...ally,
    method: 'DELETE',
    idempotency: 'none',
    reverse: 'createAlly',
    summary: '按手机号删除加盟联系人',
    input: z.object({ phone: phoneSchema, agentId: idSchema.optional() }),
    output: answerOf(none),
  },
})
