import type { DeviceAlarm } from '../report.ts'

/** What differs between makers. */
export type Jt808Profile = {
  /** By bit of the alarm word. */
  alarms: Readonly<Record<number, DeviceAlarm>>
  /** The status bit that says how the lock is, where the maker uses one; the standard's "doors locked" is bit 12. */
  lockBit?: { readonly bit: number; readonly lockedWhenSet: boolean }
}

const alarms = {
  7: 'low_battery',
  8: 'power_cut',
  26: 'illegal_movement',
  27: 'tamper',
  28: 'illegal_movement',
  30: 'fall',
  31: 'tamper',
} as const

export const jt808Profiles = {
  /** The standard's words. It knows no battery, and most terminals never set the bit of the doors. */
  standard: { alarms },
  /** Terminals that report the wheel lock as doors. */
  doorsAsLock: { alarms, lockBit: { bit: 12, lockedWhenSet: true } },
} as const satisfies Record<string, Jt808Profile>
