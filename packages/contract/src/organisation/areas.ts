import { z } from 'zod'
import { answeredIdSchema, answerOf, idSchema, searchTextSchema } from '#contract/answers.ts'
import { basePath, pageSizeMax } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'

export const areaOptionSchema = z.object({
  id: answeredIdSchema,
  name: z.string(),
  agentId: answeredIdSchema,
  /** A point inside, WGS-84; the map flies there. */
  centre: z.object({ lat: z.number(), lng: z.number() }),
})
export type AreaOption = z.infer<typeof areaOptionSchema>

export const areaEndpoints = defineEndpoints({
  listServiceAreas: {
    method: 'GET',
    path: `${basePath}/platform/agent/serviceArea`,
    host: 'platform',
    permission: 'session',
    scope: 'area',
    idempotency: 'none',
    summary: '可选服务区（页头选择器与服务区列表）',
    input: z.object({
      agentId: idSchema.optional(),
      keyword: searchTextSchema.max(40).optional(),
      page: z.coerce.number().int().min(1).max(100_000).default(1),
      pageSize: z.coerce.number().int().min(1).max(pageSizeMax).default(pageSizeMax),
    }),
    output: answerOf(z.object({ list: z.array(areaOptionSchema), count: z.int() })),
  },
})
