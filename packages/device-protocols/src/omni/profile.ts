import type { DeviceAlarm } from '../report.ts'

/** What differs between models and firmware generations of one vendor. */
export type OmniProfile = {
  alarms: Readonly<Record<number, DeviceAlarm>>
  /** Old firmware counts the odometer in hexadecimal digits without saying so. */
  odometerRadix: 10 | 16
}

export const omniProfiles = {
  /** Scooters and e-bikes with the SCOR header. */
  standard: {
    alarms: {
      1: 'illegal_movement',
      2: 'fall',
      3: 'tamper',
      4: 'low_battery',
      6: 'fall_cleared',
      7: 'tamper_cleared',
    },
    odometerRadix: 10,
  },
  /** First generation: code 3 is the low battery and there are no clearing codes. */
  early: { alarms: { 1: 'illegal_movement', 2: 'fall', 3: 'low_battery' }, odometerRadix: 16 },
} as const satisfies Record<string, OmniProfile>
