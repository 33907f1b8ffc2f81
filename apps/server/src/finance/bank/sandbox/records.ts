import { z } from 'zod'
import { payoutReportSchema } from '../provider.ts'

/** What the sandbox bank has of its customers. */

export const accountRecord = z.object({
  kind: z.literal('account'),
  number: z.string(),
  accountType: z.enum(['company', 'person']),
  name: z.string(),
  mobile: z.string(),
  bankNumber: z.string(),
  state: z.enum(['processing', 'open', 'refused']),
  reason: z.string(),
  dueAt: z.int(),
  told: z.boolean(),
  papers: z.array(z.string()),
  /** Salt and hash of the payment password; null until one was set. */
  password: z.string().nullable(),
  wrongTries: z.int(),
})
export type AccountRecord = z.output<typeof accountRecord>

export const cardRecord = z.object({
  kind: z.literal('card'),
  number: z.string(),
  account: z.string(),
  lastDigits: z.string(),
  mobile: z.string(),
  token: z.string(),
  state: z.enum(['checking', 'bound', 'unbound']),
  /** The code, or the cents of the small sum. */
  expected: z.string(),
  checkKind: z.enum(['code', 'amount']),
})
export type CardRecord = z.output<typeof cardRecord>

export const subAccountRecord = z.object({
  kind: z.literal('subAccount'),
  number: z.string(),
  account: z.string(),
  name: z.string(),
  bankNumber: z.string(),
  dueAt: z.int(),
  told: z.boolean(),
})
export type SubAccountRecord = z.output<typeof subAccountRecord>

export const authRecord = z.object({
  kind: z.literal('auth'),
  number: z.string(),
  account: z.string(),
  token: z.string(),
  cents: z.int(),
  state: z.enum(['waiting', 'granted', 'refused']),
})
export type AuthRecord = z.output<typeof authRecord>

export const payoutRecord = z.object({
  kind: z.literal('payout'),
  number: z.string(),
  account: z.string(),
  token: z.string(),
  cents: z.int(),
  bankNumber: z.string(),
  /** What becomes of it, in the order of time. */
  plan: z.array(z.object({ at: z.int(), state: payoutReportSchema.shape.state, reason: z.string() })),
  /** So many states of the plan were told by notice. */
  told: z.int(),
})
export type PayoutRecord = z.output<typeof payoutRecord>

export const bankRecord = z.discriminatedUnion('kind', [
  accountRecord,
  cardRecord,
  subAccountRecord,
  authRecord,
  payoutRecord,
])
export type BankRecord = z.output<typeof bankRecord>

export type Message = { readonly at: number; readonly to: string; readonly text: string }
