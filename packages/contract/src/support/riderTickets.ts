import { z } from 'zod'
import { answeredIdSchema, answerOf, idSchema, instantSchema, searchTextSchema } from '#contract/answers.ts'
import { phonePattern } from '#contract/constants.ts'
import { bodyLimits, defineEndpoints } from '#contract/endpoint.ts'
import { photosSchema } from '#contract/photos/photo.ts'
import { saidSchema, ticketFindings, ticketKinds, ticketPhotosMax, ticketStates } from './tickets.ts'

const ownTicket = z.object({
  id: answeredIdSchema,
  number: z.string(),
  kind: z.enum(ticketKinds),
  state: z.enum(ticketStates),
  text: z.string(),
  openedAt: instantSchema,
  dueAt: instantSchema,
  finding: z.enum(ticketFindings).nullable(),
  rating: z.int().nullable(),
  /** The words of both sides, the oldest first. */
  words: z.array(z.object({ at: instantSchema, fromRider: z.boolean(), text: z.string() })),
})
export type OwnTicket = z.infer<typeof ownTicket>

const app = { host: 'platform', permission: 'app', scope: 'none', idempotency: 'none' } as const
const riderPath = '/rider/v1/ticket'
const phone = z.string().regex(phonePattern)

/** The same tickets as applications of riders see them. */
export const riderTicketEndpoints = defineEndpoints({
  riderOpenTicket: {
    ...app,
    method: 'POST',
    path: riderPath,
    bodyLimitBytes: bodyLimits.photos,
    summary: '提交一张工单；requestId 相同的重复提交返回原工单。车辆故障会生成维修任务',
    input: z.object({
      phone,
      kind: z.enum(ticketKinds),
      text: saidSchema,
      orderId: idSchema.optional(),
      vehicleNumber: searchTextSchema.min(1).max(20).optional(),
      photos: photosSchema(ticketPhotosMax),
      requestId: z
        .string()
        .regex(/^[\w-]{8,64}$/)
        .optional(),
    }),
    output: answerOf(ownTicket),
  },
  riderTickets: {
    ...app,
    method: 'GET',
    path: riderPath,
    summary: '骑行者自己的工单，新的在前，最多二十张',
    input: z.object({ phone }),
    output: answerOf(z.object({ list: z.array(ownTicket) })),
  },
  riderSay: {
    ...app,
    method: 'POST',
    path: `${riderPath}/say`,
    bodyLimitBytes: bodyLimits.photos,
    summary: '补充说明；已答复的工单七天内因此重新打开',
    input: z.object({ phone, id: idSchema, text: saidSchema, photos: photosSchema(ticketPhotosMax) }),
    output: answerOf(ownTicket),
  },
  riderConfirm: {
    ...app,
    method: 'POST',
    path: `${riderPath}/confirm`,
    summary: '认可答复并打分，工单关闭；重复调用只更新打分',
    input: z.object({ phone, id: idSchema, rating: z.coerce.number().int().min(1).max(5) }),
    output: answerOf(ownTicket),
  },
})
