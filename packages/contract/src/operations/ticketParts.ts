import { z } from 'zod'
import { answerOf, idSchema, instantSchema, plainTextSchema, searchTextSchema } from '#contract/answers.ts'
import { pageSizeMax } from '#contract/constants.ts'
import { vehicleReaders } from '#contract/fleet/access.ts'

/** What tickets about alarms and about repairs have in common. */

/** Tickets of either kind that one call may close. */
export const ticketFixMax = 200

export const vehicleOfTicket = {
  vehicleId: idSchema,
  number: z.string(),
  agentId: idSchema,
  areaId: idSchema,
  areaName: z.string(),
}

export const ticketPage = {
  vehicleId: idSchema.optional(),
  /** Start of the vehicle's number. */
  keyword: searchTextSchema.max(40).optional(),
  from: instantSchema.optional(),
  to: instantSchema.optional(),
  /** Id of the last ticket of the page before. */
  afterId: idSchema.optional(),
  pageSize: z.coerce.number().int().min(1).max(pageSizeMax).default(20),
}

export const ticketFixInput = z.object({
  ids: z.array(idSchema).min(1).max(ticketFixMax),
  note: plainTextSchema.trim().max(200).default(''),
})
/** Tickets that were open and are closed now; one that somebody else closed before is not among them. */
export const ticketFixAnswer = answerOf(z.object({ fixedIds: z.array(idSchema) }))

export const ticketReads = {
  host: 'platform',
  permission: vehicleReaders,
  scope: 'area',
  idempotency: 'none',
} as const
/** Closing is work on the fleet: whoever may only look may not. */
export const ticketWrites = {
  host: 'platform',
  permission: ['030101', '0909'],
  scope: 'area',
  idempotency: 'key',
} as const
