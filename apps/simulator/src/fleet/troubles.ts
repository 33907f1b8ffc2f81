import type { OmniDeviceCore } from '#sim/device/omni-device.ts'
import type { Random } from '#sim/random.ts'

export type TroubleMaker = {
  step(nowMs: number, dtMs: number): void
  /** True once for each time the line should break. */
  takeDrop(): boolean
}

/** Mean simulated hours between troubles of one vehicle on the worst day (faults = 1). */
const hoursBetween = { drop: 1, noSatellites: 1.5, fall: 8, theft: 12, stuckBolt: 10 } as const
const alarmCodes = { illegalMovement: 1, fall: 2, fallCleared: 6 } as const
const hourMs = 3_600_000

/** Things that go wrong with a device, at random, more often the higher `faults` (0 to 1) is. */
export function createTroubleMaker({
  core,
  faults,
  random,
}: {
  core: OmniDeviceCore
  faults: number
  random: Random
}): TroubleMaker {
  core.troubles.duplicateChance = 0.02 * faults
  let drop = false
  let satellitesBackMs = 0
  let upAgainMs: number | null = null
  let boltMendedMs = 0
  const happens = (kind: keyof typeof hoursBetween, dtMs: number) =>
    faults > 0 && random.chance((faults * dtMs) / (hoursBetween[kind] * hourMs))
  return {
    step(nowMs, dtMs) {
      if (faults === 0) return
      if (happens('drop', dtMs)) drop = true
      if (happens('noSatellites', dtMs)) satellitesBackMs = nowMs + random.between(20_000, 120_000)
      core.troubles.noSatellites = nowMs < satellitesBackMs
      if (happens('stuckBolt', dtMs)) boltMendedMs = nowMs + random.between(60_000, 600_000)
      core.troubles.stuckBolt = nowMs < boltMendedMs
      if (core.body.locked && upAgainMs === null && happens('fall', dtMs)) {
        core.alarm(alarmCodes.fall)
        upAgainMs = nowMs + random.between(120_000, 900_000)
      }
      if (upAgainMs !== null && nowMs >= upAgainMs) {
        core.alarm(alarmCodes.fallCleared)
        upAgainMs = null
      }
      if (core.body.locked && happens('theft', dtMs)) core.alarm(alarmCodes.illegalMovement)
    },
    takeDrop() {
      const now = drop
      drop = false
      return now
    },
  }
}
