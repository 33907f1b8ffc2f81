import {
  encodeMqttToDevice,
  type MqttCommand,
  type MqttConfig,
  type MqttMessageOf,
} from '@saddle/device-protocols/mqtt/codec.ts'
import type { CommandKind } from '@saddle/contract/fleet/commands.ts'
import { commandAnswerMs, commandFailures, type ClaimedCommand, type DeviceConfig } from '#fleet/public.ts'
import { claimCommand, inOrder } from '../commandSteps.ts'
import { isClosed } from '../connection.ts'
import { contactReport, store } from '../inbound.ts'
import { acknowledge, sendPacket, type MqttState, type Publication } from './state.ts'

const words: Readonly<Record<Exclude<CommandKind, 'set_parameters'>, string>> = {
  unlock: 'unlock',
  lock: 'lock',
  ring: 'ring',
  open_battery: 'open_compartment',
  power_off: 'power_off',
  restart: 'restart',
  locate: 'locate',
  ask_version: 'version',
}
const ringTimes = 3
/** Unacknowledged messages per device; a healthy device stays far below. */
const maxUnanswered = 32
const maxMessageId = 65_535

/** Claims a queued command and sends it, when none is in progress. */
export function dispatch(state: MqttState): void {
  if (!state.hasSubscribed) return
  inOrder(state, async () => {
    const { device, deps } = state
    const command = await claimCommand(state)
    if (device === null || command === null) return
    const nowMs = deps.kit.clock.now()
    state.commandSentAt = nowMs
    if (command.kind === 'set_parameters') {
      const { vehicleId } = command
      const settings = Object.fromEntries(
        Object.entries(command.parameters ?? {}).filter(([, value]) => value !== undefined),
      ) as DeviceConfig['settings']
      const config = await deps.vehicles.configure({ vehicleId, settings })
      if (config === null) return
      if (isClosed(state)) {
        // A newer connection may have read the configuration before this one was stored.
        await deps.commands.handBack(command)
        return
      }
      state.configVersion = config.version
      publish(state, configMessage(device.imei, config), command.commandId)
      return
    }
    publish(
      state,
      {
        deviceId: device.imei,
        message: 'command',
        id: String(command.commandId),
        at: nowMs,
        expiresAt: nowMs + commandAnswerMs,
        command: words[command.kind],
        ...(command.kind === 'ring' ? { fields: { times: ringTimes } } : {}),
      },
      command.commandId,
    )
  })
}

export function publish(state: MqttState, message: MqttCommand, commandId: number): void {
  const { topic, payload, retain } = encodeMqttToDevice(message)
  state.lastMessageId = (state.lastMessageId % maxMessageId) + 1
  const oldest = state.unanswered.keys().next().value
  if (state.unanswered.size >= maxUnanswered && oldest !== undefined) state.unanswered.delete(oldest)
  state.unanswered.set(state.lastMessageId, commandId)
  sendPacket(state, { cmd: 'publish', qos: 1, dup: false, retain, topic, payload, messageId: state.lastMessageId })
}

/** The device has received a command; its result follows in a message of its own. */
export function onDelivered(state: MqttState, messageId: number): void {
  const commandId = state.unanswered.get(messageId)
  state.unanswered.delete(messageId)
  const { command, deps } = state
  if (command === null || command.commandId !== commandId) return
  inOrder(state, async () => {
    if (state.command !== command) return
    await deps.commands.move({ ...command, to: 'acknowledged' })
  })
}

/** The device reports its configuration version, which confirms a command that set parameters. */
export function onConfigured(state: MqttState, version: number): void {
  if (version === 0) return
  inOrder(state, async () => {
    const { command, deps, device } = state
    if (device === null) return
    const isOwn = command?.kind === 'set_parameters'
    // The command may have been sent over an earlier connection.
    const wanted = isOwn ? state.configVersion : ((await deps.vehicles.configOf(device.vehicleId))?.version ?? 0)
    if (version < wanted) return
    const under = isOwn ? [command] : await deps.commands.underWay(device.vehicleId)
    for (const one of under) {
      if (one.kind === 'set_parameters') await deps.commands.move({ ...one, to: 'confirmed' })
    }
    if (isOwn) end(state)
  })
}

/** The state of the lock after a command that was carried out; null for a command that does not move the lock. */
export function factsOf(command: Pick<ClaimedCommand, 'kind'> | null): { locked: boolean } | null {
  if (command?.kind === 'unlock') return { locked: false }
  return command?.kind === 'lock' ? { locked: true } : null
}

/** The command that an answer belongs to: the one in progress here, or one that was sent over an earlier connection. */
async function commandOf({ command, device, deps }: MqttState, id: string): Promise<ClaimedCommand | null> {
  if (command !== null && id === String(command.commandId)) return command
  if (device === null) return null
  const others = await deps.commands.underWay(device.vehicleId)
  return others.find(({ commandId }) => id === String(commandId)) ?? null
}

/** Handles the result of a command: stored with its facts, then published, then acknowledged to the device. */
export function onAnswer(state: MqttState, message: MqttMessageOf<'ack'>, publication: Publication): void {
  inOrder(state, async () => {
    const command = await commandOf(state, message.id)
    const isDone = command !== null && message.state === 'done'
    const report = { ...contactReport(message.deviceId, message.at), ...(isDone ? factsOf(command) : {}) }
    const isStored = await store(state, { frame: publication.payload, report, kind: 'ack', commanded: isDone })
    if (!isStored) return
    if (command !== null) await move(state, command, message)
    acknowledge(state, publication.messageId)
    if (command !== null && command === state.command && message.state !== 'received') end(state)
  })

  async function move(own: MqttState, command: ClaimedCommand, said: MqttMessageOf<'ack'>): Promise<void> {
    const { commands } = own.deps
    if (said.state === 'received') await commands.move({ ...command, to: 'acknowledged' })
    else if (said.state === 'done') await commands.move({ ...command, to: 'confirmed' })
    else
      await commands.move({
        ...command,
        to: 'failed',
        failure: commandFailures[refusals[said.reason ?? ''] ?? 'failed'],
      })
  }
}

const refusals: Readonly<Record<string, keyof typeof commandFailures>> = {
  riding: 'riding',
  expired: 'noAnswer',
  unsupported: 'unsupported',
}

/** Ends a command that was not answered in time. */
export function expireCommand(state: MqttState): void {
  const { command, deps } = state
  if (command === null || deps.kit.clock.now() - state.commandSentAt < commandAnswerMs) return
  inOrder(state, async () => {
    if (state.command !== command) return
    await deps.commands.move({ ...command, to: 'expired', failure: commandFailures.noAnswer })
    end(state)
  })
}

function end(state: MqttState): void {
  state.command = null
  dispatch(state)
}

/** Sends the device its configuration after it has subscribed to it. */
export function sendConfig(state: MqttState): void {
  inOrder(state, async () => {
    const { device, deps } = state
    if (device === null) return
    const config = await deps.vehicles.configOf(device.vehicleId)
    if (config !== null && state.closedFor === null) publish(state, configMessage(device.imei, config), 0)
  })
}

const names: Readonly<Record<string, 'reportRidingS' | 'reportIdleS' | 'maxSpeedKmh'>> = {
  reportSeconds: 'reportRidingS',
  heartbeatSeconds: 'reportIdleS',
  speedLimitKmh: 'maxSpeedKmh',
}

/** Settings that the scheme defines have its names; others keep their own. */
function configMessage(imei: string, { version, settings }: DeviceConfig): MqttCommand {
  const config: MqttConfig = { version }
  for (const [name, value] of Object.entries(settings)) {
    const known = names[name]
    if (known !== undefined && typeof value === 'number') config[known] = value
    else config.fields = { ...config.fields, [name]: value }
  }
  return { deviceId: imei, message: 'config', config }
}
