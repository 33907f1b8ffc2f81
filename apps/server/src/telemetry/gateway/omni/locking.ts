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

/** Claims a queued command and sends it, when none is in progress. */
export function dispatch(session: SessionState): void {
  inOrder(session, async () => {
    const { deps } = session
    const command = await claimCommand(session)
    if (command === null) return
    const nowMs = deps.kit.clock.now()
    if (command.kind !== 'unlock' && command.kind !== 'lock') {
      const orders = otherCommand(command)
      if (orders.length === 0) {
        await deps.commands.move({ ...command, to: 'failed', failure: commandFailures.unsupported })
        return endCommand(session)
      }
      session.commandSentAt = nowMs
      return send(session, orders)
    }
    // The result echoes user and time. The command's id as the user identifies the command, even when the result
    // arrives over another connection.
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

/** Handles the answer to a command other than lock or unlock, after it is stored: the echo is the only proof in this protocol. */
export function onOtherAnswer(
  session: SessionState,
  received: { command: ClaimedCommand; message: OmniMessage },
): void {
  const { command, message } = received
  const { deps } = session
  if (!isAnswerTo(command.kind, message)) return
  inOrder(session, async () => {
    if (session.command !== command) return
    const isRefused = message.instruction === 'L5' && message.result !== undefined && message.result !== 0
    if (isRefused) await deps.commands.move({ ...command, to: 'failed', failure: commandFailures.failed })
    else await deps.commands.move({ ...command, to: 'confirmed' })
    endCommand(session)
  })
}

function endCommand(session: SessionState): void {
  session.endedCommandId = session.command?.commandId ?? null
  session.command = null
  dispatch(session)
}

/** Handles a key. The answer to our request is stored before it is used; a key that was not requested raises an alarm. */
export function onKey(
  session: SessionState,
  received: { frame: string; message: OmniMessageOf<'R0'>; event: OmniPlatformEvent | null; answer: OmniCommandBody[] },
): void {
  const { frame, message, event, answer } = received
  const { deps, command } = session
  const report = contactReport(message)
  if (event?.kind === 'tamper' && message.userId !== session.endedCommandId) {
    deps.kit.log.warn({ vehicleId: session.device?.vehicleId }, 'a device issued a key that nobody asked for')
    void store(session, { frame, kind: 'R0', report: { ...report, alarms: ['tamper'] } })
    return
  }
  void store(session, { frame, kind: 'R0', report })
  if (answer.length === 0 || command === null) return
  inOrder(session, async () => {
    const isAlive = await deps.commands.move({ ...command, to: 'acknowledged' })
    if (isAlive) return send(session, answer)
    // The command expired meanwhile: the vehicle must not unlock after the operator saw the command fail.
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

/** Handles the outcome of a lock command: stored, then published, then acknowledged to the device. */
export function onResult(
  session: SessionState,
  received: { frame: string; message: OmniMessageOf<'L0' | 'L1'>; event: OmniPlatformEvent | null },
): void {
  const { frame, message, event } = received
  const { instruction, result } = message
  const own = event?.kind === 'done' || event?.kind === 'refused' ? session.command : null
  inOrder(session, async () => {
    const { device, deps } = session
    if (device === null) return
    const { commands } = deps
    const kind = instruction === 'L0' ? 'unlock' : 'lock'
    const step = { commandId: own?.commandId ?? message.userId ?? 0, vehicleId: device.vehicleId, kind } as const
    const isDone = result === omniResult.success
    // A result without a waiting command may belong to one that was sent before the connection broke.
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

/** Ends a handshake that timed out. */
export function expireHandshake(session: SessionState): void {
  const { deps, command } = session
  expireOther(session)
  const step = expireOmniHandshake(session.handshake, deps.kit.clock.now())
  if (step.event === null) return
  session.handshake = step.state
  if (command === null) return
  inOrder(session, async () => {
    await deps.commands.move({ ...command, to: 'expired', failure: commandFailures.noAnswer })
    endCommand(session)
  })
}

/** Ends a command other than lock or unlock that timed out. */
function expireOther(session: SessionState): void {
  const { command, deps } = session
  if (command === null || command.kind === 'unlock' || command.kind === 'lock') return
  if (deps.kit.clock.now() - session.commandSentAt < commandAnswerMs) return
  inOrder(session, async () => {
    if (session.command !== command) return
    await deps.commands.move({ ...command, to: 'expired', failure: commandFailures.noAnswer })
    endCommand(session)
  })
}
