import { z } from 'zod'
import { answerOf, idSchema, instantSchema } from '#contract/answers.ts'
import { basePath } from '#contract/constants.ts'
import { defineEndpoints } from '#contract/endpoint.ts'
import {
  ticketFixAnswer,
  ticketFixInput,
  ticketPage,
  ticketReads,
  ticketWrites,
  vehicleOfTicket,
} from './ticketParts.ts'
import { taskSources, taskStates } from './taskWords.ts'
import { usedPartsSchema } from './usedParts.ts'

export const fixTicketSchema = z.object({
  id: idSchema,
  ...vehicleOfTicket,
  state: z.enum(taskStates),
  source: z.enum(taskSources),
  openedAt: instantSchema,
  claimedAt: instantSchema.nullable(),
  doneAt: instantSchema.nullable(),
  personName: z.string().nullable(),
  note: z.string(),
  /** Why it was needed, and what was built in. */
  reason: z.string().nullable(),
  partsCents: z.int(),
})
export type FixTicket = z.infer<typeof fixTicketSchema>

export const ticketEndpoints = defineEndpoints({
  listFixTickets: {
    ...ticketReads,
    method: 'GET',
    path: `${basePath}/fixTicketInfo`,
    summary: '维修工单，新的在前',
    input: z.object({ ...ticketPage, states: z.array(z.enum(taskStates)).max(taskStates.length).optional() }),
    output: answerOf(z.object({ list: z.array(fixTicketSchema), hasMore: z.boolean() })),
  },
  fixFixTickets: {
    ...ticketWrites,
    method: 'POST',
    path: `${basePath}/fixTicketInfo/fixed`,
    summary: '把维修工单标记为已修复',
    input: ticketFixInput
      .extend({ reasonId: idSchema.optional(), parts: usedPartsSchema })
      .refine(({ ids, parts }) => ids.length === 1 || parts.length === 0, { error: '登记配件时一次只能处理一张工单' }),
    output: ticketFixAnswer,
  },
})
