import { ProtocolError } from '@saddle/device-protocols/error.ts'
import { decodeMqtt, toReports, type MqttMessage } from '@saddle/device-protocols/mqtt/codec.ts'
import { closeConnection, noteFirmware, noteMalformed, spokeOf, submit } from '../connection.ts'
import { gatewayLimits } from '../limits.ts'
import { factsOf, onAnswer, onConfigured } from './commands.ts'
import type { MqttState } from './state.ts'

export type Publication = {
  readonly topic: string
  readonly payload: Uint8Array
  /** Called when what it says is committed; null when nobody waits for it. */
  readonly stored: (() => void) | null
}

const own = { hello: true, ack: true, offline: true }

/** Takes in what a device published: stored first, then acknowledged. */
export function onPublication(state: MqttState, publication: Publication): void {
  const message = decode(state, publication)
  if (message === null) {
    // As wrong the next time: acknowledged, so that the device does not send it for ever.
    publication.stored?.()
    return
  }
  // One line, one device.
  if (message.deviceId !== state.device?.imei) return closeConnection(state, 'mixed')
  state.parts.metrics.frames.inc({ protocol: 'mqtt', message: message.message })
  if (message.message === 'ack') return onAnswer(state, message, publication)
  if (message.message === 'hello') {
    const { firmware, configVersion = 0 } = message
    noteFirmware(state, firmware)
    return storeAll(state, {
      reports: [spokeOf(message.deviceId, message.at)],
      publication: {
        ...publication,
        stored: () => {
          publication.stored?.()
          onConfigured(state, configVersion)
        },
      },
      kind: 'hello',
    })
  }
  if (message.message === 'offline') {
    const { parts, device } = state
    // Its line is still there; when it goes, no will is needed any more.
    parts.gone.note({ vehicleId: device.vehicleId, at: parts.kit.clock.now() })
  }
  const reports = message.message in own ? [spokeOf(message.deviceId, timeOf(message))] : toReports(message)
  return storeAll(state, { reports, publication, kind: message.message })
}

function timeOf(message: MqttMessage): number | null {
  return 'at' in message ? message.at : null
}

/** Stores the reports of one message, and acknowledges it when the last of them is committed. */
function storeAll(
  state: MqttState,
  said: { reports: ReturnType<typeof toReports>; publication: Publication; kind: string },
): void {
  const { reports, publication, kind } = said
  let left = reports.length
  let isWhole = true
  const settled = (isStored: boolean): void => {
    left -= 1
    isWhole &&= isStored
    if (left === 0 && isWhole) publication.stored?.()
  }
  const commanded = kind === 'event' && factsOf(state.command) !== null
  for (let part = 0; part < reports.length; part += 1) {
    const report = reports[part]
    if (report !== undefined) submit(state, { frame: publication.payload, report, kind, part, commanded }, settled)
  }
}

function decode(state: MqttState, { topic, payload }: Publication): MqttMessage | null {
  if (payload.length > gatewayLimits.maxMqttPacketBytes) return null
  try {
    return decodeMqtt({ topic, payload })
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    noteMalformed(state, error.reason)
    return null
  }
}
