/** What troubles a device just now; the simulation sets it, a healthy device has none of it. */
export type Troubles = {
  noSatellites: boolean
  stuckBolt: boolean
  duplicateChance: number
  gpsNoiseM: number
  /** How far its clock is off. */
  clockSkewMs: number
}

export const noTroubles = (): Troubles => ({
  noSatellites: false,
  stuckBolt: false,
  duplicateChance: 0,
  gpsNoiseM: 0,
  clockSkewMs: 0,
})
