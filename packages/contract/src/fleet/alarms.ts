import { z } from 'zod'
import { answerOf, idSchema, instantSchema, plainTextSchema } from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import { serviceBatchMax } from './service.ts'
import {
  ticketFixAnswer,
  ticketFixInput,
  ticketFixMax,
  ticketPage,
  ticketReads,
  ticketWrites,
  vehicleOfTicket,
} from '#contract/operations/ticketParts.ts'

export const alarmTicketSchema = z.object({
  id: idSchema,
  ...vehicleOfTicket,
  kind: z.string(),
  openedAt: instantSchema,
  /** The last time the device repeated it, and how often it did. */
  lastAt: instantSchema,
  times: z.int(),
  closedAt: instantSchema.nullable(),
  /** Who closed it; null when the device itself did, or nobody has. */
  fixedBy: z.string().nullable(),
  note: z.string(),
})
export type AlarmTicket = z.infer<typeof alarmTicketSchema>

export const alarmEndpoints = defineEndpoints({
  listAlarmTickets: {
    ...ticketReads,
    method: 'GET',
    path: `${basePath}/alarmTicketInfo`,
    summary: '告警工单，新的在前',
    input: z.object({
      ...ticketPage,
      vehicleIds: z.array(idSchema).min(1).max(serviceBatchMax).optional(),
      kinds: z.array(plainTextSchema.max(40)).max(20).optional(),
      open: z.boolean().optional(),
    }),
    output: answerOf(z.object({ list: z.array(alarmTicketSchema), hasMore: z.boolean() })),
  },
  fixAlarmTickets: {
    ...ticketWrites,
    method: 'POST',
    path: `${basePath}/alarmTicketInfo/fixed`,
    summary: '把告警工单标记为已处理',
    reverse: 'reopenAlarmTickets',
    input: ticketFixInput,
    output: ticketFixAnswer,
  },
  reopenAlarmTickets: {
    ...ticketWrites,
    method: 'POST',
    path: `${basePath}/alarmTicketInfo/reopen`,
    summary: '恢复本人刚关闭的告警',
    input: z.object({ ids: z.array(idSchema).min(1).max(ticketFixMax) }),
    output: answerOf(z.object({ reopenedIds: z.array(idSchema) })),
  },
})
