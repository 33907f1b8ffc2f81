import { crc32 } from 'node:zlib'
import { minuteMs } from '@saddle/contract/time.ts'
import type { OmniMessage } from '@saddle/device-protocols/omni/codec.ts'
import { store, type InboundReport } from '../inbound.ts'
import type { Answer, SessionState } from './state.ts'

/** What a device says again until it is acknowledged. */
const acknowledged: ReadonlySet<OmniMessage['instruction']> = new Set(['W0', 'E0', 'L0', 'L1', 'L5'])
/** A device that did not hear the answer says it again within this time. */
const crossedMs = 5_000
/** Over a new line it says first what the old one did not answer; later it has something new to say. */
const afterSignInMs = 2 * minuteMs
/** A gateway that fell over is back, and its devices with it, within this time. */
export const awayMs = 10 * minuteMs
const maxRemembered = 32

/**
 * Stores what a device says again until it is acknowledged, once. These messages carry no time, so that a second one
 * looks like the first: it is the same while the first is not answered, a moment after, and over a new line when the
 * history has it.
 */
export async function storeOnce(session: SessionState, message: OmniMessage, said: InboundReport): Promise<boolean> {
  // With a time of its own it is known by that.
  if (!acknowledged.has(message.instruction) || message.sentAt !== undefined) return store(session, said)
  const { answers, parts } = session
  const { clock } = parts.kit
  const frameCrc = crc32(said.frame) | 0
  const before = answers.get(frameCrc)
  if (before !== undefined && (before.at === null || clock.now() - before.at < crossedMs)) {
    const isStored = await before.stored
    if (isStored) parts.metrics.repeated.inc()
    return isStored
  }
  const oldest = answers.keys().next().value
  if (answers.size >= maxRemembered && oldest !== undefined) answers.delete(oldest)
  const answer: Answer = { stored: storeUnlessKnown(session, said, frameCrc), at: null }
  answers.set(frameCrc, answer)
  const isStored = await answer.stored
  answer.at = clock.now()
  if (!isStored && answers.get(frameCrc) === answer) answers.delete(frameCrc)
  return isStored
}

async function storeUnlessKnown(session: SessionState, said: InboundReport, frameCrc: number): Promise<boolean> {
  const { parts, openedAt } = session
  const isFirst = !session.answers.has(frameCrc) && parts.kit.clock.now() - openedAt < afterSignInMs
  try {
    if (!isFirst || !(await wasStored(session, said, frameCrc))) return await store(session, said)
  } catch (err) {
    // Without the database nothing is stored and nothing acknowledged: the device says it again.
    parts.kit.log.warn({ err }, 'what a vehicle said before could not be looked up')
    return false
  }
  parts.metrics.repeated.inc()
  return true
}

async function wasStored({ device, parts }: SessionState, said: InboundReport, frameCrc: number): Promise<boolean> {
  if (device === null) return false
  const since = parts.kit.clock.now() - awayMs
  const { vehicleId } = device
  const stored = await parts.recentFrames({ vehicleId, kind: said.kind, since })
  const [alarm] = said.report.alarms ?? []
  if (alarm === undefined) return stored.some((row) => row.frameCrc === frameCrc)
  // An alarm that was over in between has happened again.
  const latest = stored.find((row) => subjectOf(row.alarms[0] ?? '') === subjectOf(alarm))
  return latest?.frameCrc === frameCrc
}

const subjectOf = (alarm: string): string => alarm.replace(/_cleared$/, '')
