import { generate, type Packet } from 'mqtt-packet'
import { write } from '../backPressure.ts'
import { closeConnection, type Connection } from '../connection.ts'
import type { Answering } from '../inbound.ts'
import type { CloseReason } from '../session.ts'

/** What an MQTT session adds to its connection. */
export type MqttState = Connection & {
  /** 4 or 5; 0 before CONNECT. */
  version: number
  /** How long it may be silent: by its keep-alive, or by the platform's limit when it has none. */
  idleMs: number
  /** The last will, for the case that the connection breaks. */
  will: { readonly topic: string; readonly payload: Uint8Array } | null
  /** Configuration and commands are sent only after it has subscribed. */
  hasSubscribed: boolean
  /** Unacknowledged messages of the platform: packet id to the id of the command, 0 for a configuration. */
  readonly unanswered: Map<number, number>
  lastMessageId: number
  commandSentAt: number
  /** The configuration version of the command in progress. */
  configVersion: number
  /** Acknowledgements that are sent together, in one write per turn of the event loop. */
  acks: number[]
  /** The topic of the device's reports, as its reader says it; null before the first one. */
  reportTopic: string | null
  /** Who waits for reports that are the only one of their message. */
  readonly usualReports: Answering
}

/** A message that a device has published. */
export type Publication = {
  readonly topic: string
  readonly payload: Uint8Array
  /** 0 when the device expects no acknowledgement, which is QoS 0. */
  readonly messageId: number
}

/** The reasons of MQTT 5 that the platform gives. */
export const mqttReasons = {
  success: 0x00,
  malformedPacket: 0x81,
  protocolError: 0x82,
  notAuthorized: 0x87,
  sessionTakenOver: 0x8e,
  serverShuttingDown: 0x8b,
  badUserNameOrPassword: 0x86,
  unsupportedVersion: 0x84,
  filterInvalid: 0x8f,
  topicInvalid: 0x90,
  packetTooLarge: 0x95,
  qosNotSupported: 0x9b,
  payloadInvalid: 0x99,
  keepAliveTimeout: 0x8d,
} as const

export function sendPacket(state: MqttState, packet: Packet): void {
  write(state, generate(packet, { protocolVersion: state.version === 0 ? 4 : state.version }))
}

const reasonCodes: Partial<Record<CloseReason, number>> = {
  foreign: mqttReasons.notAuthorized,
  garbage: mqttReasons.payloadInvalid,
  replaced: mqttReasons.sessionTakenOver,
  revoked: mqttReasons.notAuthorized,
  stopping: mqttReasons.serverShuttingDown,
}

/** Closes the connection; over MQTT 5 it sends the reason first. */
export function leave(state: MqttState, reason: CloseReason, code = reasonCodes[reason]): void {
  if (state.closedFor === null && state.version === 5 && state.device !== null && code !== undefined) {
    sendPacket(state, { cmd: 'disconnect', reasonCode: code })
  }
  closeConnection(state, reason)
}

const puback = 0x40
/** The reason code is stored above the 16 bits of the packet id. */
const reasonShift = 16

/** Acknowledges a message after its commit, or with the reason for a refusal; acknowledgements of the same turn of the event loop are sent in one write. */
export function acknowledge(state: MqttState, messageId: number, reason = 0): void {
  if (messageId === 0 || state.closedFor !== null) return
  // Versions before 5 have no reason codes.
  state.acks.push(state.version === 5 ? messageId | (reason << reasonShift) : messageId)
  if (state.acks.length === 1) process.nextTick(flushAcks, state)
}

function flushAcks(state: MqttState): void {
  const { acks } = state
  state.acks = []
  const bytes = Buffer.allocUnsafe(acks.length * 5)
  let at = 0
  for (const ack of acks) {
    const reason = ack >>> reasonShift
    bytes[at] = puback
    bytes[at + 1] = reason === 0 ? 2 : 3
    at = bytes.writeUInt16BE(ack & 0xffff, at + 2)
    if (reason !== 0) at = bytes.writeUInt8(reason, at)
  }
  write(state, bytes.subarray(0, at))
}
