import { phoneLength, phonePattern, smsCodePattern } from '@saddle/contract/constants.ts'
import { coreErrorText } from '@saddle/contract/coreErrors.ts'

/** What is wrong with a phone number as such, or null (specification, section 5). */
export function phoneFault(phone: string): string | null {
  return phonePattern.test(phone) ? null : coreErrorText('phone_format')
}

/** What is wrong with a phone number that a code should go to: nothing or too little typed has a text of its own. */
export function phoneFaultForSending(phone: string): string | null {
  return phone.length === phoneLength ? phoneFault(phone) : coreErrorText('phone_invalid')
}

export function codeFault(code: string): string | null {
  return smsCodePattern.test(code) ? null : coreErrorText('code_invalid')
}

export interface TypedCode {
  readonly value: string
  readonly fault: string | null
}

/** Anything but digits clears the field and says so. */
export function typeCode(typed: string): TypedCode {
  return /^\d*$/.test(typed) ? { value: typed, fault: null } : { value: '', fault: '请输入数字' }
}

/** Whole seconds until another code may be asked for; 0 when it may. */
export function secondsLeft(untilMs: number | null, nowMs: number): number {
  return untilMs === null ? 0 : Math.max(0, Math.ceil((untilMs - nowMs) / 1000))
}
