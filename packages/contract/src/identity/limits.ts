/** Limits of login that both sides, tests and the operations guide may name. */
import { dayMs, minuteMs } from '#contract/time.ts'

/**
 * Failed codes of one phone are counted over this time; a new code does not start it anew. A browser that has logged in
 * with the phone before counts for itself, all others count together.
 */
export const smsFailureWindowMs = 30 * minuteMs
/** Failed codes one after the other, over days: then only another way in helps (NIST SP 800-63B, section 3.2.2). */
export const smsFailuresInRowMax = 100
/** Failures that lie further back count no more. */
export const smsFailureMemoryMs = 30 * dayMs
/** Codes of a phone that are good at the same time: asking for another does not void the one that is on its way. */
export const smsLiveCodesMax = 3
/** Failed codes from one address in an hour: a guard against guessing across many phones. */
export const smsFailuresPerAddressPerHour = 30
/** A key exchange is possible once, and only this soon after the login that it belongs to. */
export const keyExchangeWindowMs = 2 * minuteMs
/** Browsers remembered per operator; the oldest without approval make room. */
export const devicesPerOperatorMax = 50
/** A device cookie lasts 400 days, the longest that browsers keep one. */
export const deviceCookieLifetimeMs = 400 * dayMs

/** Names of the cookies that login sets. `sid`, `pre` and `dev` are HttpOnly, `_t` is readable. */
export const loginCookies = { session: 'sid', csrf: '_t', presession: 'pre', device: 'dev', screen: 'scr' } as const
