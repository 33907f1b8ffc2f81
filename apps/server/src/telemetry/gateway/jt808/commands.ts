import {
  jt808Control,
  jt808ParameterIds,
  jt808Result,
  type Jt808CommandBody,
  type Jt808MessageOf,
  type Jt808Parameter,
} from '@saddle/device-protocols/jt808/codec.ts'
import type { Jt808ModelProfile } from '@saddle/contract/fleet/deviceProfiles.ts'
import type { DeviceReport } from '@saddle/device-protocols/report.ts'
import { commandAnswerMs, commandFailures, type ClaimedCommand } from '#fleet/public.ts'
import { claimCommand, inOrder } from '../commandSteps.ts'
import { contactReport, store } from '../inbound.ts'
import { follow, send, type Jt808State } from './state.ts'

/** Looks for a queued command and sends it, when none is under way. */
export function dispatch(state: Jt808State): void {
  inOrder(state, async () => {
    const { deps, device } = state
    // A command in progress is confirmed by the rules of the profile that it was sent with.
    if (device !== null && state.command === null) follow(state, device.profile)
    const command = await claimCommand(state)
    if (command === null) return
    const body = bodyOf(state, command)
    if (body === null) {
      await deps.commands.move({ ...command, to: 'failed', failure: commandFailures.unsupported })
      end(state)
      return
    }
    state.commandSentAt = deps.kit.clock.now()
    state.commandSerial = send(state, body)
  })
}

/** The message of a command that a maker has defined. */
function orderOf({ head }: Jt808State, order: Jt808ModelProfile['orders']['ring']): Jt808CommandBody | null {
  if (order === null) return null
  switch (order.by) {
    case 'terminal_control': {
      const { command, argument } = order
      return { message: 'control', command, ...(argument === undefined ? {} : { argument }) }
    }
    case 'vehicle_control':
      return head?.headerVersion === 2019
        ? { message: 'vehicleControl', controls: order.controls }
        : { message: 'vehicleControl', flags: order.flags }
    case 'text':
      return { message: 'text', flags: order.flags, text: order.text }
    case 'passthrough':
      return { message: 'passthrough', type: order.type, hex: order.hex }
  }
}

/** The message that carries a command; null where neither the protocol nor the maker has one. */
function bodyOf(state: Jt808State, { kind, parameters }: ClaimedCommand): Jt808CommandBody | null {
  switch (kind) {
    case 'unlock':
    case 'lock':
    case 'ring':
    case 'open_battery':
      return orderOf(state, state.profile.orders[kind])
    case 'power_off':
      return { message: 'control', command: jt808Control.powerOff }
    case 'restart':
      return { message: 'control', command: jt808Control.restart }
    case 'locate':
      return { message: 'queryPosition' }
    case 'ask_version':
      return { message: 'queryAttributes' }
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

/** Handles a general answer: it confirms commands that nothing else can confirm. */
export function onAnswered(state: Jt808State, message: Jt808MessageOf<'generalAnswer'>): void {
  const { command, deps } = state
  if (command === null || message.answeredSerial !== state.commandSerial) return
  inOrder(state, async () => {
    if (state.command !== command) return
    const { commands } = deps
    if (message.result !== jt808Result.success) {
      const failure = message.result === jt808Result.unsupported ? 'unsupported' : 'failed'
      await commands.move({ ...command, to: 'failed', failure: commandFailures[failure] })
      end(state)
      return
    }
    await commands.move({ ...command, to: 'acknowledged' })
    const turnsLock = command.kind === 'unlock' || command.kind === 'lock'
    const isAnsweredByMessage = command.kind === 'locate' || command.kind === 'ask_version'
    if (isAnsweredByMessage || (turnsLock && state.profile.proof !== 'answer')) return
    if (turnsLock) await noteTurned(state, command.kind === 'lock')
    await commands.move({ ...command, to: 'confirmed' })
    end(state)
  })
}

/**
 * Confirms a command when the lock is in the commanded position. Returns what to do after these reports are stored; null
 * when they confirm nothing.
 */
export function onLockKnown(state: Jt808State, reports: readonly DeviceReport[]): (() => void) | null {
  const { command } = state
  if (command?.kind !== 'unlock' && command?.kind !== 'lock') return null
  const wanted = command.kind === 'lock'
  // A report that is older than the command confirms nothing; terminals count in whole seconds.
  const since = state.commandSentAt - 1_000
  const proof = reports.some(({ locked, occurredAt }) => locked === wanted && (occurredAt ?? 0) >= since)
  return proof ? () => confirm(state, command) : null
}

/** For a terminal that does not report its lock, the commanded position is stored when it answers. */
async function noteTurned(state: Jt808State, locked: boolean): Promise<void> {
  const { head, deps } = state
  const report = { ...contactReport(head?.deviceId ?? '', deps.kit.clock.now()), locked }
  await store(state, { frame: `${state.commandSerial} ${locked}`, report, kind: '0001', commanded: true })
}

/** Handles the answer to vehicle control. Where its position reports the lock, that decides about the outcome. */
export function onControlled(state: Jt808State, said: { answeredSerial: number; locked: boolean | undefined }): void {
  const { command, deps } = state
  if (command === null || said.answeredSerial !== state.commandSerial) return
  if (command.kind !== 'unlock' && command.kind !== 'lock') return confirm(state, command)
  if (said.locked === undefined && state.profile.proof === 'lock_state') return undefined
  if (said.locked === undefined || said.locked === (command.kind === 'lock')) return confirm(state, command)
  inOrder(state, async () => {
    if (state.command !== command) return
    await deps.commands.move({ ...command, to: 'failed', failure: commandFailures.failed })
    end(state)
  })
  return undefined
}

/** Confirms a request for the position, once that is stored. */
export function onLocated(state: Jt808State, answeredSerial: number): void {
  const { command } = state
  if (command?.kind === 'locate' && answeredSerial === state.commandSerial) confirm(state, command)
}

/** Confirms a request for the version, once that is stored. */
export function onVersionTold(state: Jt808State): void {
  const { command } = state
  if (command?.kind === 'ask_version') confirm(state, command)
}

function confirm(state: Jt808State, command: ClaimedCommand): void {
  inOrder(state, async () => {
    if (state.command !== command) return
    await state.deps.commands.move({ ...command, to: 'confirmed' })
    end(state)
  })
}

/** Ends a command that was not answered in time. */
export function expireCommand(state: Jt808State): void {
  const { command, deps } = state
  if (command === null || deps.kit.clock.now() - state.commandSentAt < commandAnswerMs) return
  inOrder(state, async () => {
    if (state.command !== command) return
    await deps.commands.move({ ...command, to: 'expired', failure: commandFailures.noAnswer })
    end(state)
  })
}

function end(state: Jt808State): void {
  state.command = null
  state.commandSerial = -1
  dispatch(state)
}
