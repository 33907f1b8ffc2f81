import { createHmac, timingSafeEqual } from 'node:crypto'
import { minuteMs } from '@saddle/contract/time.ts'

/** One-time passwords by time (RFC 6238) as authenticators expect them: SHA-1, six digits, thirty seconds. */
export const stepMs = 30_000
const digits = 6
/** Codes of the step before and after are accepted too: clocks differ, and users type slowly. */
const skewSteps = 1
const secretBytes = 20

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const recoveryPattern = /^[A-Z2-7]{10}$/

/** Wrong codes within the window after which no code is accepted for the rest of it. */
export const totpFailuresMax = 5
export const totpFailureWindowMs = 15 * minuteMs
/** An unconfirmed secret expires after this time. */
export const totpBeginMs = 10 * minuteMs
export const recoveryCodeCount = 10

export interface RandomBytes {
  bytes(length: number): Uint8Array
}

/** RFC 4648 base32 without padding. */
export function toBase32(bytes: Uint8Array): string {
  const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
  const groups = bits.match(/.{1,5}/g) ?? []
  return groups.map((group) => alphabet.charAt(Number.parseInt(group.padEnd(5, '0'), 2))).join('')
}

export function fromBase32(text: string): Uint8Array {
  const bits = Array.from(text, (letter) => alphabet.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Uint8Array.from({ length: Math.floor(bits.length / 8) }, (_, index) =>
    Number.parseInt(bits.slice(index * 8, index * 8 + 8), 2),
  )
}

export const newTotpSecret = (random: RandomBytes): string => toBase32(random.bytes(secretBytes))

/** The code of a time step (RFC 4226, section 5.3). */
export function totpCode(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', fromBase32(secret)).update(counter).digest()
  const offset = (mac.at(-1) ?? 0) & 0x0f
  const number = mac.readUInt32BE(offset) & 0x7f_ff_ff_ff
  return String(number % 10 ** digits).padStart(digits, '0')
}

/** The step of a code, within the allowed skew and later than `lastStep`; null when there is none. */
export function matchingStep(options: {
  secret: string
  code: string
  nowMs: number
  lastStep: number
}): number | null {
  const { secret, code, nowMs, lastStep } = options
  if (code.length !== digits) return null
  const present = Math.floor(nowMs / stepMs)
  for (let step = present - skewSteps; step <= present + skewSteps; step += 1) {
    if (step > lastStep && timingSafeEqual(Buffer.from(totpCode(secret, step)), Buffer.from(code))) return step
  }
  return null
}

/** The URI that the QR code holds. */
export function totpUri(options: { secret: string; issuer: string; account: string }): string {
  const { secret, issuer, account } = options
  const label = `${encodeURIComponent(issuer)}:${encodeURIComponent(account)}`
  return `otpauth://totp/${label}?secret=${secret}&issuer=${encodeURIComponent(issuer)}&algorithm=SHA1&digits=${digits}&period=${stepMs / 1000}`
}

/** Fifty random bits per code, in two groups that are easy to read out. */
export function newRecoveryCodes(random: RandomBytes): string[] {
  return Array.from({ length: recoveryCodeCount }, () => {
    const text = toBase32(random.bytes(7)).slice(0, 10)
    return `${text.slice(0, 5)}-${text.slice(5)}`
  })
}

/** Parses a typed code of either kind; null when it is neither. */
export function readCode(typed: string): { kind: 'totp' | 'recovery'; code: string } | null {
  const code = typed.replaceAll(/[\s-]/g, '').toUpperCase()
  if (/^[0-9]{6}$/.test(code)) return { kind: 'totp', code }
  return recoveryPattern.test(code) ? { kind: 'recovery', code } : null
}

/** The failures within the window, and until when codes are rejected; null: not locked. */
export function failureState(options: { failures: number; since: Date | null; nowMs: number }): {
  failures: number
  lockedUntilMs: number | null
} {
  const { failures, since, nowMs } = options
  if (since === null || nowMs - since.getTime() >= totpFailureWindowMs) return { failures: 0, lockedUntilMs: null }
  return { failures, lockedUntilMs: failures >= totpFailuresMax ? since.getTime() + totpFailureWindowMs : null }
}
