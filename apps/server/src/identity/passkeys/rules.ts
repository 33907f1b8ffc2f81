import { isIP } from 'node:net'
import { clockSkewMs } from '@saddle/contract/constants.ts'
import { passkeyChallengeLifetimeMs } from '@saddle/contract/identity/passkeys.ts'
import { fromBase64Url, fromUtf8, utf8 } from '@saddle/contract/wire/bytes.ts'
import { isSameText } from '#kit/crypto.ts'

/** What a challenge is for: a login, or adding a passkey to this operator. It is not accepted for anything else. */
export type ChallengeUse = 'login' | `add ${number}`
type Sign = (payload: string) => string

/** Challenges are signed and not stored, because anybody may request them. Only used nonces are stored. */
export function makeChallenge(options: { use: ChallengeUse; nonce: string; nowMs: number; sign: Sign }): Uint8Array {
  const payload = [options.use, options.nonce, options.nowMs].join('|')
  return utf8(`${payload}|${options.sign(payload)}`)
}

/** The nonce of a challenge that this platform issued for this use and that has not expired; null for any other. */
export function readChallenge(options: {
  challenge: string
  use: ChallengeUse
  nowMs: number
  sign: Sign
}): string | null {
  const bytes = fromBase64Url(options.challenge)
  const text = bytes === null ? null : textOf(bytes)
  const [use, nonce, madeAt, signature, ...rest] = text?.split('|') ?? []
  if (!use || !nonce || !madeAt || !signature || rest.length > 0) return null
  if (!isSameText(signature, options.sign([use, nonce, madeAt].join('|')))) return null
  const ageMs = options.nowMs - Number(madeAt)
  const isYoung = ageMs >= -clockSkewMs && ageMs < passkeyChallengeLifetimeMs
  return use === options.use && isYoung ? nonce : null
}

/** The domain name that passkeys of this address belong to; null for a bare IP address. */
export function relyingPartyOf(host: string): string | null {
  const name = host.replace(/:\d+$/, '')
  return name === '' || name.startsWith('[') || isIP(name) !== 0 ? null : name
}

/** Accepted origins of a host: https, and on localhost also http. */
export function originsOf(host: string): string[] {
  const isLocal = relyingPartyOf(host) === 'localhost'
  return [`https://${host}`, ...(isLocal ? [`http://${host}`] : [])]
}

function textOf(bytes: Uint8Array): string | null {
  try {
    return fromUtf8(bytes)
  } catch {
    return null
  }
}
