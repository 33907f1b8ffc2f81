/** Current faults of a device; the simulation sets them, a healthy device has none. */
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
