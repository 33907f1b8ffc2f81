/** Current faults of a device; the simulation sets them, a healthy device has none. */
export type Troubles = {
  noSatellites: boolean
  stuckBolt: boolean
  duplicateChance: number
  gpsNoiseM: number
  /** How far its clock is off. */
  clockSkewMs: number
  /** Packages of an upgrade that arrive broken. */
  brokenPackageChance: number
  /** Its power fails while it flashes. */
  powerLossChance: number
  /** New firmware that it never starts from again. */
  brickChance: number
}

export const noTroubles = (): Troubles => ({
  noSatellites: false,
  stuckBolt: false,
  duplicateChance: 0,
  gpsNoiseM: 0,
  clockSkewMs: 0,
  brokenPackageChance: 0,
  powerLossChance: 0,
  brickChance: 0,
})
