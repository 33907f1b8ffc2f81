import {
  omniResult,
  toReport,
  type OmniCommandBody,
  type OmniMessage,
  type OmniMessageOf,
} from '@saddle/device-protocols/omni/codec.ts'
import {
  beginOmniHandshake,
  expireOmniHandshake,
  type OmniPlatformEvent,
} from '@saddle/device-protocols/omni/handshake.ts'
import { commandAnswerMs, commandFailures, type ClaimedCommand } from '#fleet/public.ts'
import { claimCommand, inOrder } from '../commandSteps.ts'
import { store } from '../inbound.ts'
import { otherCommand, isAnswerTo } from './commands.ts'
import { storeOnce } from './repeats.ts'
import { send, contactReport, type SessionState } from './state.ts'

/** Looks for a queued command and begins it, when none is under way. */
export function dispatch(session: SessionState): void {
  inOrder(session, async () => {
    const { parts } = session
    const command = await claimCommand(session)
    if (command === null) return
    const nowMs = parts.kit.clock.now()
    if (command.kind !== 'unlock' && command.kind !== 'lock') {
      const orders = otherCommand(command)
      if (orders.length === 0) {
        await parts.commands.move({ ...command, to: 'failed', failure: commandFailures.unsupported })
        return endCommand(session)
      }
      session.commandSentAt = nowMs
      return send(session, orders)
    }
    // The result echoes user and time: with the command's id as the user it can be told whose it is, even when it
    // comes over another connection.
    const step = beginOmniHandshake({
      operation: command.kind === 'unlock' ? 0 : 1,
      userId: command.commandId,
      timestamp: Math.floor(nowMs / 1000),
      nowMs,
    })
    session.handshake = step.state
    return send(session, step.send)
  })
}

/** What a device says to a command that is no lock, after it is stored: its echo is all the proof that its protocol knows. */
export function onOtherAnswer(session: SessionState, said: { command: ClaimedCommand; message: OmniMessage }): void {
  const { command, message } = said
  const { parts } = session
  if (!isAnswerTo(command.kind, message)) return
  inOrder(session, async () => {
    if (session.command !== command) return
    const isRefused = message.instruction === 'L5' && message.result !== undefined && message.result !== 0
    if (isRefused) await parts.commands.move({ ...command, to: 'failed', failure: commandFailures.failed })
    else await parts.commands.move({ ...command, to: 'confirmed' })
    endCommand(session)
  })
}

function endCommand(session: SessionState): void {
  session.endedCommandId = session.command?.commandId ?? null
  session.command = null
  dispatch(session)
}

/** A key: the answer to ours is stored before it is used; one that nobody asked for is an alarm and never used. */
export function onKey(
  session: SessionState,
  said: { frame: string; message: OmniMessageOf<'R0'>; event: OmniPlatformEvent | null; answer: OmniCommandBody[] },
): void {
  const { frame, message, event, answer } = said
  const { parts, command } = session
  const report = contactReport(message)
  if (event?.kind === 'tamper' && message.userId !== session.endedCommandId) {
    parts.kit.log.warn({ vehicleId: session.device?.vehicleId }, 'a device issued a key that nobody asked for')
    void store(session, { frame, kind: 'R0', report: { ...report, alarms: ['tamper'] } })
    return
  }
  void store(session, { frame, kind: 'R0', report })
  if (answer.length === 0 || command === null) return
  inOrder(session, async () => {
    const isAlive = await parts.commands.move({ ...command, to: 'acknowledged' })
    if (isAlive) return send(session, answer)
    // It expired meanwhile: an unlock must not happen after the operator was told that it did not.
    session.handshake = { phase: 'idle' }
    endCommand(session)
    return undefined
  })
}

const refusals: Readonly<Record<number, keyof typeof commandFailures>> = {
  [omniResult.failed]: 'failed',
  [omniResult.keyError]: 'key_error',
  [omniResult.riding]: 'riding',
}

/** The outcome of a lock command: stored, then told, then acknowledged to the device. */
export function onResult(
  session: SessionState,
  said: { frame: string; message: OmniMessageOf<'L0' | 'L1'>; event: OmniPlatformEvent | null },
): void {
  const { frame, message, event } = said
  const { instruction, result } = message
  const own = event?.kind === 'done' || event?.kind === 'refused' ? session.command : null
  inOrder(session, async () => {
    const { device, parts } = session
    if (device === null) return
    const { commands } = parts
    const kind = instruction === 'L0' ? 'unlock' : 'lock'
    const step = { commandId: own?.commandId ?? message.userId ?? 0, vehicleId: device.vehicleId, kind } as const
    const isDone = result === omniResult.success
    // A result that nobody waits for any more may still be that of a command sent before the line broke.
    const others = isDone && own === null ? await commands.underWay(device.vehicleId) : []
    const isLate = others.some((other) => other.commandId === step.commandId && other.kind === kind)
    const report = toReport(message) ?? contactReport(message)
    const commanded = own !== null || isLate
    const isStored = await storeOnce(session, message, { frame, report, kind: instruction, commanded })
    if (!isStored) return
    if (!isDone) await commands.move({ ...step, to: 'failed', failure: commandFailures[refusals[result] ?? 'other'] })
    else if (own !== null || isLate) await commands.move({ ...step, to: 'confirmed' })
    send(session, [{ instruction: 'ack', of: instruction }])
    if (own !== null) endCommand(session)
  })
}

/** Ends a handshake whose time is over. */
export function expireHandshake(session: SessionState): void {
  const { parts, command } = session
  expireOther(session)
  const step = expireOmniHandshake(session.handshake, parts.kit.clock.now())
  if (step.event === null) return
  session.handshake = step.state
  if (command === null) return
  inOrder(session, async () => {
    await parts.commands.move({ ...command, to: 'expired', failure: commandFailures.noAnswer })
    endCommand(session)
  })
}

/** Ends a command that is no lock and was not answered in time. */
function expireOther(session: SessionState): void {
  const { command, parts } = session
  if (command === null || command.kind === 'unlock' || command.kind === 'lock') return
  if (parts.kit.clock.now() - session.commandSentAt < commandAnswerMs) return
  inOrder(session, async () => {
    if (session.command !== command) return
    await parts.commands.move({ ...command, to: 'expired', failure: commandFailures.noAnswer })
    endCommand(session)
  })
}
