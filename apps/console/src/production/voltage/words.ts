import { voltageEndpoints } from '@saddle/contract/production/voltage.ts'
import type { ReplayState, VoltageState } from '@saddle/contract/production/voltageWords.ts'
import type { Tone } from '#kit/ui/Mark.tsx'

/** Readings that an act on voltage schemes makes stale. */
export const staleVoltage = [
  voltageEndpoints.listVoltageSchemes,
  voltageEndpoints.voltageSchemeDetail,
  voltageEndpoints.voltageReplay,
]

/** How often a replay that is not over is asked after. */
export const refreshEveryMs = 2_000

export const voltageTone: Readonly<Record<VoltageState, Tone>> = {
  draft: 'off',
  waiting: 'info',
  in_force: 'good',
  ended: 'off',
}

export const replayTone: Readonly<Record<ReplayState, Tone>> = {
  waiting: 'info',
  running: 'info',
  done: 'good',
  failed: 'bad',
}
