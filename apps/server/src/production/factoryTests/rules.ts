import type { CommandKind, CommandState } from '@saddle/contract/fleet/commands.ts'
import {
  factoryStepMs,
  type FactoryFailure,
  type FactoryStep,
  type FactoryTerms,
} from '@saddle/contract/production/factoryWords.ts'
import { minuteMs } from '@saddle/contract/time.ts'

/** Positions and facts carry the time of the device, whose clock may be slow by as much. */
export const deviceClockSkewMs = minuteMs

/** What is known of a vehicle under test. */
export type Seen = {
  readonly heardAt: number | null
  readonly factsAt: number | null
  readonly positionAt: number | null
  readonly lat: number | null
  readonly lng: number | null
  readonly batteryPercent: number | null
  readonly voltageV: number | null
  readonly locked: boolean | null
  readonly firmware: string | null
  /** When it last said that it is moved while locked. */
  readonly movedAt: number | null
  /** Of the step's command. */
  readonly command: { readonly state: CommandState } | null
}

export type Verdict =
  | { readonly state: 'running' }
  | { readonly state: 'passed'; readonly measured: string }
  | { readonly state: 'failed'; readonly failure: FactoryFailure; readonly measured: string }

type Judged = {
  readonly step: FactoryStep
  readonly terms: FactoryTerms
  readonly testBegunAt: number
  readonly stepBegunAt: number
  readonly nowMs: number
}

/**
 * The command that a step gives. A position is asked for, because a parked device seldom tells it by itself, and the version,
 * because an old answer may be that of another firmware.
 */
export const commandOfStep: Readonly<Partial<Record<FactoryStep, CommandKind>>> = {
  firmware: 'ask_version',
  position: 'locate',
  unlock: 'unlock',
  ring: 'ring',
  lock: 'lock',
}

const isSince = (at: number | null, since: number): boolean => at !== null && at >= since
const isSaidSince = (at: number | null, since: number): boolean => isSince(at, since - deviceClockSkewMs)
const passed = (measured: string): Verdict => ({ state: 'passed', measured })
const failed = (failure: FactoryFailure, measured = ''): Verdict => ({ state: 'failed', failure, measured })

/** What a step has come to: only what the vehicle said during the test counts, and its time is limited. */
export function judgeStep(judged: Judged, seen: Seen): Verdict {
  const { step, stepBegunAt, nowMs } = judged
  const verdict = verdictOf(judged, seen)
  if (verdict !== null) return verdict
  return nowMs - stepBegunAt < factoryStepMs[step] ? { state: 'running' } : tooLate(judged, seen)
}

function verdictOf({ step, terms, testBegunAt, stepBegunAt }: Judged, seen: Seen): Verdict | null {
  switch (step) {
    case 'online':
      return isSince(seen.heardAt, testBegunAt) ? passed('') : null
    case 'firmware':
      return firmwareVerdict(terms, seen)
    case 'position':
      return isSaidSince(seen.positionAt, testBegunAt) && seen.lat !== null && seen.lng !== null
        ? passed(`${seen.lat.toFixed(5)}, ${seen.lng.toFixed(5)}`)
        : null
    case 'battery':
      return isSaidSince(seen.factsAt, testBegunAt) && seen.batteryPercent !== null
        ? battery(terms, { percent: seen.batteryPercent, voltageV: seen.voltageV })
        : null
    case 'movement':
      return isSince(seen.movedAt, stepBegunAt) ? passed('') : null
    case 'ring':
      return commandVerdict(seen)
    case 'unlock':
    case 'lock':
      return lockVerdict({ wanted: step === 'lock', stepBegunAt }, seen)
  }
}

function battery(terms: FactoryTerms, { percent, voltageV }: { percent: number; voltageV: number | null }): Verdict {
  const measured = `${Math.round(percent)}%${voltageV === null ? '' : ` · ${voltageV.toFixed(1)} V`}`
  const { batteryMinPercent, voltageMinV, voltageMaxV } = terms
  const isBeyond =
    (voltageMinV !== null && (voltageV === null || voltageV < voltageMinV)) ||
    (voltageMaxV !== null && (voltageV === null || voltageV > voltageMaxV))
  if (isBeyond) return failed('voltage_range', measured)
  return percent < batteryMinPercent ? failed('battery_low', measured) : passed(measured)
}

function commandVerdict({ command }: Pick<Seen, 'command'>): Verdict | null {
  if (command?.state === 'confirmed') return passed('')
  return command?.state === 'failed' || command?.state === 'expired' ? failed('not_done') : null
}

/** The stored version counts once the device has answered the question for it. */
function firmwareVerdict(terms: FactoryTerms, { command, firmware }: Seen): Verdict | null {
  const answer = commandVerdict({ command })
  if (answer === null) return null
  if (answer.state === 'failed' || firmware === null) return failed('firmware_unknown')
  return firmware === terms.firmware ? passed(firmware) : failed('firmware_other', firmware)
}

/** A lock counts when the device has confirmed the command, and its reports since say the same. */
function lockVerdict({ wanted, stepBegunAt }: { wanted: boolean; stepBegunAt: number }, seen: Seen): Verdict | null {
  const verdict = commandVerdict(seen)
  if (verdict?.state !== 'passed') return verdict
  return isSaidSince(seen.factsAt, stepBegunAt) && seen.locked === wanted ? verdict : null
}

const late: Readonly<Record<FactoryStep, FactoryFailure>> = {
  online: 'not_online',
  firmware: 'firmware_unknown',
  position: 'no_position',
  battery: 'no_battery',
  movement: 'no_alarm',
  unlock: 'not_done',
  ring: 'not_done',
  lock: 'not_done',
}

function tooLate({ step }: Judged, seen: Seen): Verdict {
  const wasDone = seen.command?.state === 'confirmed'
  if ((step === 'lock' || step === 'unlock') && wasDone) return failed('lock_not_seen')
  return failed(late[step])
}
