import { z } from 'zod'
import { dayMs } from '@saddle/contract/time.ts'

const percent = z.int().min(0).max(100).default(0)

/** How the sandbox bank behaves from now on; figures without a unit are percent of all cases. */
export const bankMoodSchema = z.strictObject({
  /** From a request until its end. */
  processingMs: z.int().min(0).max(dayMs).default(3_000),
  /** How often each notice is sent. */
  copies: z.int().min(0).max(5).default(2),
  /** Requests that do not arrive. */
  losesRequests: percent,
  /** Requests that arrive, and whose answer does not. */
  losesAnswers: percent,
  losesNotices: percent,
  /** Notices that come after later ones. */
  delaysNotices: percent,
  /** Queries that are answered from an old copy: without the payment, or with the state that it had at first. */
  answersOld: percent,
  /** Payments that fail. */
  fails: percent,
  /** Payments that are told as paid and fail after that. */
  lies: percent,
  /** Payments that the bank of the card sends back after they were paid. */
  reverses: percent,
  /** Payments that are told as failed and are paid after that, which no bank should do. */
  contradicts: percent,
  /** Accounts that are refused. */
  refuses: percent,
  isDown: z.boolean().default(false),
})
export type BankMood = Readonly<z.output<typeof bankMoodSchema>>
