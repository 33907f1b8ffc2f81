/** Names that every protocol maps its own alarm codes to. */
export const deviceAlarms = [
  'illegal_movement',
  'fall',
  'tamper',
  'low_battery',
  'power_cut',
  'fall_cleared',
  'tamper_cleared',
  'power_cut_cleared',
] as const

export type DeviceAlarm = (typeof deviceAlarms)[number]

/** WGS-84 degrees. `fix` is false when the device repeats an old or rough place. */
export type DevicePosition = {
  lat: number
  lng: number
  speedKmh?: number
  headingDeg?: number
  altitudeM?: number
  fix: boolean
}

/**
 * What a device says about itself, in the same words for every protocol. An absent value means that the frame
 * did not say it, so a reader keeps what it knew before.
 */
export type DeviceReport = {
  deviceId: string
  /** Milliseconds since 1970 UTC by the device's clock; null when the frame has no (believable) time. */
  occurredAt: number | null
  position: DevicePosition | null
  batteryPercent?: number
  voltageV?: number
  /** The vehicle's lock: true is locked. */
  locked?: boolean
  charging?: boolean
  signal?: number
  odometerM?: number
  /** A known name, or `<protocol>_<code>` for a code that the device's profile does not know. */
  alarms?: string[]
}

type Absentable<T> = { readonly [K in keyof T]: T[K] | undefined }
export type PositionReading = Absentable<DevicePosition> & Readonly<Pick<DevicePosition, 'lat' | 'lng' | 'fix'>>
/** A report as it is read: what it does not say may also be there as `undefined`. */
export type ReportReading = Absentable<Omit<DeviceReport, 'deviceId' | 'occurredAt' | 'position'>> & {
  readonly occurredAt: number | null
  readonly position: PositionReading | null
}

/** Drops the keys whose value is undefined, so that `absent` and `undefined` never differ downstream. */
export function withoutAbsent<T extends object>(value: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined)) as T
}
