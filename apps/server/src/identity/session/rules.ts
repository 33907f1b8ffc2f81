import { isPermission, moneyCodes } from '@saddle/contract/permissions.ts'

/** 138****8000: enough to recognise one's own number, too little to call it. */
export function maskPhone(phone: string): string {
  return `${phone.slice(0, 3)}****${phone.slice(-4)}`
}

/** Whether a company's second-factor requirement applies to these permissions. */
export function isSecondFactorRequired(options: {
  from: Date | null
  codes: Iterable<string>
  nowMs: number
}): boolean {
  const { from, codes, nowMs } = options
  return (
    from !== null && from.getTime() <= nowMs && [...codes].some((code) => isPermission(code) && moneyCodes.has(code))
  )
}

/** `asked`: set up and not shown in this session; `missing`: has to be set up. Other calls are rejected until then. */
export type SecondFactor = 'clear' | 'asked' | 'missing'

export function secondFactorOf(options: {
  /** A passkey counts as two factors: the device, and the fingerprint, face or PIN that unlocks it. */
  isPasskey: boolean
  isEnabled: boolean
  isShown: boolean
  isRequired: boolean
}): SecondFactor {
  if (options.isPasskey) return 'clear'
  if (options.isEnabled) return options.isShown ? 'clear' : 'asked'
  return options.isRequired ? 'missing' : 'clear'
}

const browsers = [
  ['Edg/', 'Edge'],
  ['MicroMessenger/', '微信'],
  ['HuaweiBrowser/', 'Huawei Browser'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const
const systems = [
  ['HarmonyOS', 'HarmonyOS'],
  ['Android', 'Android'],
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Windows', 'Windows'],
  ['Mac OS X', 'macOS'],
  ['Linux', 'Linux'],
] as const

/** A readable name from a user agent: `Chrome · Windows`. */
export function deviceName(userAgent: string): string {
  const find = (rows: readonly (readonly [string, string])[]): string | undefined =>
    rows.find(([mark]) => userAgent.includes(mark))?.[1]
  const deps = [find(browsers), find(systems)].filter((part) => part !== undefined)
  return deps.length > 0 ? deps.join(' · ') : userAgent.slice(0, 40)
}
