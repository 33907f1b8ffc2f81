import { z } from 'zod'
import { answerOf, idSchema, instantSchema, plainTextSchema } from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import {
  ticketFixAnswer,
  ticketFixInput,
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
    input: ticketFixInput,
    output: ticketFixAnswer,
  },
})
