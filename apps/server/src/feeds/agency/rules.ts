import type { WebhookAnswer } from '#kit/webhook.ts'
import { isReceived } from '#kit/retry.ts'
import { z } from 'zod'

/** What became of a batch: every record was judged, or the whole request was refused, or nobody was there to judge. */
export type Judged =
  | {
      readonly kind: 'records'
      readonly refused: ReadonlyMap<string, string>
      /** Whether the others have been taken; else they have to be sent without those. */
      readonly areOthersTaken: boolean
    }
  | { readonly kind: 'request'; readonly fault: string }
  | { readonly kind: 'down'; readonly fault: string }

/** The field that names a record. */
export type IdField = 'device_id' | 'event_id' | 'trip_id' | 'telemetry_id'

const faultCharsMax = 200
const failureSchema = z.looseObject({
  item: z.looseObject({}).optional(),
  error: z.string().optional(),
  error_description: z.string().optional(),
})
const bulkSchema = z.looseObject({ failures: z.array(failureSchema) })

/** A city that has a record already has taken it: a server that was killed sends it once more. */
const taken: ReadonlySet<string> = new Set(['already_registered', 'already_exists', 'duplicate'])
/** The city does not know the vehicle of a record. */
export const unregistered = 'unregistered'
export const alreadyRegistered = 'already_registered'

/** Statuses that are about what was sent. Any other one is about the other side or the token. */
const aboutRequest: ReadonlySet<number> = new Set([400, 409, 413, 422])

/** Reads the answer to a batch. Of a city that has some records only, the others are refused by their ids. */
export function judge(answer: WebhookAnswer, idField: IdField, options: { isKnownFine: boolean }): Judged {
  const { status, text } = answer
  const isFine = isReceived(status)
  if (!isFine && !aboutRequest.has(status)) return { kind: 'down', fault: `HTTP ${status}` }
  const failures = failuresIn(text)
  if (!isFine && failures.length === 0) return { kind: 'request', fault: faultIn(text) ?? `HTTP ${status}` }
  const refused = new Map<string, string>()
  for (const { item, error = `HTTP ${status}`, error_description: description } of failures) {
    const id = item?.[idField]
    if (typeof id !== 'string' || (options.isKnownFine && taken.has(error))) continue
    const isCode = error === unregistered || error === alreadyRegistered || description === undefined
    refused.set(id, (isCode ? error : `${error}: ${description}`).slice(0, faultCharsMax))
  }
  return { kind: 'records', refused, areOthersTaken: isFine }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

const failuresIn = (text: string) => bulkSchema.safeParse(parsed(text)).data?.failures ?? []

function faultIn(text: string): string | null {
  const { data } = failureSchema.safeParse(parsed(text))
  if (data?.error === undefined) return null
  return [data.error, data.error_description]
    .filter((part) => part !== undefined)
    .join(': ')
    .slice(0, faultCharsMax)
}

/** A batch in two halves, for a city that refused the whole. */
export function halves<T>(batch: readonly T[]): readonly [readonly T[], readonly T[]] {
  const middle = Math.ceil(batch.length / 2)
  return [batch.slice(0, middle), batch.slice(middle)]
}
