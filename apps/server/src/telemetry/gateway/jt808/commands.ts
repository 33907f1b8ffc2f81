import {
  jt808BikeControl,
  jt808Control,
  jt808ParameterIds,
  jt808Result,
  type Jt808CommandBody,
  type Jt808MessageOf,
  type Jt808Parameter,
} from '@saddle/device-protocols/jt808/codec.ts'
import type { DeviceReport } from '@saddle/device-protocols/report.ts'
import { commandAnswerMs, commandFailures, type ClaimedCommand } from '#fleet/public.ts'
import { claimCommand, inOrder } from '../connection.ts'
import { send, type Jt808State } from './state.ts'

/** Looks for a queued command and sends it, when none is under way. */
export function dispatch(state: Jt808State): void {
  inOrder(state, async () => {
    const { parts } = state
    const command = await claimCommand(state)
    if (command === null) return
    const body = bodyOf(command)
    if (body === null) {
      await parts.commands.move({ ...command, to: 'failed', failure: commandFailures.unsupported })
      end(state)
      return
    }
    state.commandSentAt = parts.kit.clock.now()
    state.commandSerial = send(state, body)
  })
}

/** What a terminal is told; null where its protocol has no word for it. */
function bodyOf({ kind, parameters }: ClaimedCommand): Jt808CommandBody | null {
  switch (kind) {
    case 'unlock':
      return { message: 'control', command: jt808BikeControl.unlock }
    case 'lock':
      return { message: 'control', command: jt808BikeControl.lock }
    case 'ring':
      return { message: 'control', command: jt808BikeControl.ring }
    case 'open_battery':
      return { message: 'control', command: jt808BikeControl.openCompartment }
    case 'power_off':
      return { message: 'control', command: jt808Control.powerOff }
    case 'restart':
      return { message: 'control', command: jt808Control.restart }
    case 'locate':
      return { message: 'queryPosition' }
    case 'set_parameters': {
      const { reportSeconds, heartbeatSeconds, speedLimitKmh } = parameters ?? {}
      const wanted: [number, number | undefined][] = [
        [jt808ParameterIds.reportS, reportSeconds],
        [jt808ParameterIds.heartbeatS, heartbeatSeconds],
        [jt808ParameterIds.maxSpeedKmh, speedLimitKmh],
      ]
      const list = wanted.flatMap(([id, number]): Jt808Parameter[] => (number === undefined ? [] : [{ id, number }]))
      return list.length === 0 ? null : { message: 'setParameters', parameters: list }
    }
  }
}

/** The general answer of a terminal: a command that nothing else can prove is done by it. */
export function onAnswered(state: Jt808State, message: Jt808MessageOf<'generalAnswer'>): void {
  const { command, parts } = state
  if (command === null || message.answeredSerial !== state.commandSerial) return
  inOrder(state, async () => {
    if (state.command !== command) return
    const { commands } = parts
    if (message.result !== jt808Result.success) {
      const failure = message.result === jt808Result.unsupported ? 'unsupported' : 'failed'
      await commands.move({ ...command, to: 'failed', failure: commandFailures[failure] })
      end(state)
      return
    }
    await commands.move({ ...command, to: 'acknowledged' })
    const waitsForProof = command.kind === 'unlock' || command.kind === 'lock' || command.kind === 'locate'
    if (waitsForProof) return
    await commands.move({ ...command, to: 'confirmed' })
    end(state)
  })
}

/**
 * A lock that is as it was ordered proves the command; returns what is to be done after these reports are stored, null
 * when they prove nothing.
 */
export function onLockKnown(state: Jt808State, reports: readonly DeviceReport[]): (() => void) | null {
  const { command } = state
  if (command?.kind !== 'unlock' && command?.kind !== 'lock') return null
  const wanted = command.kind === 'lock'
  // A report from before the command says nothing of it; terminals count in whole seconds.
  const since = state.commandSentAt - 1_000
  const proof = reports.some(({ locked, occurredAt }) => locked === wanted && (occurredAt ?? 0) >= since)
  return proof ? () => confirm(state, command) : null
}

/** The position that was asked for is stored. */
export function onLocated(state: Jt808State, answeredSerial: number): void {
  const { command } = state
  if (command?.kind === 'locate' && answeredSerial === state.commandSerial) confirm(state, command)
}

function confirm(state: Jt808State, command: ClaimedCommand): void {
  inOrder(state, async () => {
    if (state.command !== command) return
    await state.parts.commands.move({ ...command, to: 'confirmed' })
    end(state)
  })
}

/** Ends a command that was not answered in time. */
export function expireCommand(state: Jt808State): void {
  const { command, parts } = state
  if (command === null || parts.kit.clock.now() - state.commandSentAt < commandAnswerMs) return
  inOrder(state, async () => {
    if (state.command !== command) return
    await parts.commands.move({ ...command, to: 'expired', failure: commandFailures.noAnswer })
    end(state)
  })
}

function end(state: Jt808State): void {
  state.command = null
  state.commandSerial = -1
  dispatch(state)
}
