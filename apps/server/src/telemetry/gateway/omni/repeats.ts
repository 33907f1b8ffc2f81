import { crc32 } from 'node:zlib'
import { minuteMs } from '@saddle/contract/time.ts'
import type { OmniMessage } from '@saddle/device-protocols/omni/codec.ts'
import { store, type InboundReport } from '../inbound.ts'
import type { Answer, SessionState } from './state.ts'

/** Messages that a device repeats until they are acknowledged. */
const acknowledged: ReadonlySet<OmniMessage['instruction']> = new Set(['W0', 'E0', 'L0', 'L1', 'L5'])
/** A device that missed the answer repeats the message within this time. */
const crossedMs = 5_000
/** On a new connection the device first repeats what was not answered; after this time a message is new. */
const afterSignInMs = 2 * minuteMs
/** A gateway that crashed is back with its devices within this time. */
export const awayMs = 10 * minuteMs
const maxRemembered = 32

/**
 * Stores a message that the device repeats until it is acknowledged once only. These messages carry no time, so a second
 * event looks like a repeat: it counts as a repeat while the first is unanswered, for a moment after, and on a new
 * connection when the history has it.
 */
export async function storeOnce(session: SessionState, message: OmniMessage, inbound: InboundReport): Promise<boolean> {
  // A message with a timestamp is identified by it.
  if (!acknowledged.has(message.instruction) || message.sentAt !== undefined) return store(session, inbound)
  const { answers, deps } = session
  const { clock } = deps.kit
  const frameCrc = crc32(inbound.frame) | 0
  const before = answers.get(frameCrc)
  if (before !== undefined && (before.at === null || clock.now() - before.at < crossedMs)) {
    const isStored = await before.stored
    if (isStored) deps.metrics.repeated.inc()
    return isStored
  }
  const oldest = answers.keys().next().value
  if (answers.size >= maxRemembered && oldest !== undefined) answers.delete(oldest)
  const answer: Answer = { stored: storeUnlessKnown(session, inbound, frameCrc), at: null }
  answers.set(frameCrc, answer)
  const isStored = await answer.stored
  answer.at = clock.now()
  if (!isStored && answers.get(frameCrc) === answer) answers.delete(frameCrc)
  return isStored
}

async function storeUnlessKnown(session: SessionState, inbound: InboundReport, frameCrc: number): Promise<boolean> {
  const { deps, openedAt } = session
  const isFirst = !session.answers.has(frameCrc) && deps.kit.clock.now() - openedAt < afterSignInMs
  try {
    if (!isFirst || !(await wasStored(session, inbound, frameCrc)))
      return await store(session, { ...inbound, isKept: true })
  } catch (err) {
    // Without the database nothing is stored or acknowledged: the device repeats the message.
    deps.kit.log.warn({ err }, 'earlier reports of a vehicle could not be looked up')
    return false
  }
  deps.metrics.repeated.inc()
  return true
}

async function wasStored({ device, deps }: SessionState, inbound: InboundReport, frameCrc: number): Promise<boolean> {
  if (device === null) return false
  const since = deps.kit.clock.now() - awayMs
  const { vehicleId } = device
  const stored = await deps.recentFrames({ vehicleId, kind: inbound.kind, since })
  const [alarm] = inbound.report.alarms ?? []
  if (alarm === undefined) return stored.some((row) => row.frameCrc === frameCrc)
  // An alarm that was cleared in between is a new event.
  const latest = stored.find((row) => subjectOf(row.alarms[0] ?? '') === subjectOf(alarm))
  return latest?.frameCrc === frameCrc
}

const subjectOf = (alarm: string): string => alarm.replace(/_cleared$/, '')
