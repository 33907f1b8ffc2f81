import { hourMs } from '@saddle/contract/time.ts'
import type { Troubles } from '#sim/device/troubles.ts'
import type { Random } from '#sim/random.ts'

export type TroubleMaker = {
  step(nowMs: number, dtMs: number): void
  /** Once for each time the line should break: for how long. */
  takeDrop(): number | null
}

/** Mean simulated hours between troubles of one device on the worst day (faults = 1). */
const hoursBetween = { drop: 6, noSatellites: 5, stuckBolt: 60 } as const
/** Share of devices with a wrong clock at faults = 1. */
const skewedShare = 0.2

/** Random device faults; their rate grows with `faults` (0 to 1). */
export function createTroubleMaker({
  troubles,
  faults,
  random,
}: {
  troubles: Troubles
  faults: number
  random: Random
}): TroubleMaker {
  troubles.duplicateChance = 0.02 * faults
  troubles.brokenPackageChance = 0.05 * faults
  troubles.powerLossChance = 0.1 * faults
  troubles.brickChance = 0.02 * faults
  // Some a few seconds, a few by minutes, either way.
  if (random.chance(skewedShare * faults)) {
    troubles.clockSkewMs = Math.round(random.gauss(random.chance(0.1) ? 120_000 : 4_000))
  }
  let dropMs: number | null = null
  let satellitesBackMs = 0
  let boltMendedMs = 0
  const happens = (kind: keyof typeof hoursBetween, dtMs: number) =>
    random.chance((faults * dtMs) / (hoursBetween[kind] * hourMs))
  return {
    step(nowMs, dtMs) {
      if (faults === 0) return
      // No coverage: reports wait in the device.
      if (happens('drop', dtMs)) dropMs = random.chance(0.5) ? 0 : random.between(15_000, 240_000)
      if (happens('noSatellites', dtMs)) satellitesBackMs = nowMs + random.between(20_000, 120_000)
      troubles.noSatellites = nowMs < satellitesBackMs
      if (happens('stuckBolt', dtMs)) boltMendedMs = nowMs + random.between(60_000, 600_000)
      troubles.stuckBolt = nowMs < boltMendedMs
    },
    takeDrop() {
      const now = dropMs
      dropMs = null
      return now
    },
  }
}
