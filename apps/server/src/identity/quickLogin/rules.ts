import { z } from 'zod'
import { clockSkewMs, quickLoginLifetimeMs } from '@saddle/contract/constants.ts'
import { fromBase64Url, fromUtf8, toBase64Url, utf8 } from '@saddle/contract/wire/bytes.ts'
import { isSameText } from '#kit/crypto.ts'

const originSchema = z.strictObject({
  operatorId: z.int().positive(),
  /** Host header of the site that it is for, lower case, with port. */
  host: z.string().min(1).max(260),
  issuedAt: z.int(),
  nonce: z.string().length(22),
})
export type QuickLoginOrigin = z.infer<typeof originSchema>

type Sign = (payload: string) => string

/** The `origin` query parameter: base64url(payload) ‘.’ signature. */
export function encodeOrigin(origin: QuickLoginOrigin, sign: Sign): string {
  const payload = toBase64Url(utf8(JSON.stringify(origin)))
  return `${payload}.${sign(payload)}`
}

/** Reads an `origin` that is signed, for this host and not expired; null otherwise. The store checks that it is unused. */
export function readOrigin(options: {
  text: string
  sign: Sign
  host: string
  nowMs: number
}): QuickLoginOrigin | null {
  const { text, sign, host, nowMs } = options
  const [payload, signature, ...rest] = text.split('.')
  if (!payload || !signature || rest.length > 0) return null
  if (!isSameText(signature, sign(payload))) return null
  const bytes = fromBase64Url(payload)
  if (bytes === null) return null
  const parsed = originSchema.safeParse(parseJson(bytes))
  if (!parsed.success) return null
  const { issuedAt } = parsed.data
  const ageMs = nowMs - issuedAt
  // Another node's clock may be a little ahead of this one.
  const isYoung = ageMs >= -clockSkewMs && ageMs <= quickLoginLifetimeMs
  return isYoung && parsed.data.host === host ? parsed.data : null
}

function parseJson(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(fromUtf8(bytes)) as unknown
  } catch {
    return undefined
  }
}
