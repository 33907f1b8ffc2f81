import { generate, type Packet, type Parser } from 'mqtt-packet'
import type { Connection } from '../connection.ts'
import { write } from '../connection.ts'

/** What an MQTT session adds to its connection. */
export type MqttState = Connection & {
  readonly parser: Parser
  /** 4 or 5; 0 before CONNECT. */
  version: number
  /** How long it may be silent, by its keep-alive; the platform's own limit where it has none. */
  idleMs: number
  /** Left by the device for the case that its line breaks. */
  will: { readonly topic: string; readonly payload: Uint8Array } | null
  /** Waits for its retained configuration and its commands only after it has subscribed. */
  hasSubscribed: boolean
  /** Messages of the platform that are not acknowledged yet: number to the id of the command, 0 for a configuration. */
  readonly unanswered: Map<number, number>
  lastMessageId: number
  commandSentAt: number
  /** The configuration that the command under way asks for. */
  configVersion: number
  /** Acknowledgements of one turn go out in one write. */
  acks: number[]
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
  topicInvalid: 0x90,
  packetTooLarge: 0x95,
  qosNotSupported: 0x9b,
  payloadInvalid: 0x99,
  keepAliveTimeout: 0x8d,
} as const

export function sendPacket(state: MqttState, packet: Packet): void {
  write(state, generate(packet, { protocolVersion: state.version === 0 ? 4 : state.version }))
}

const puback = 0x40

/** Acknowledges a message; what is acknowledged in the same turn leaves in one write. */
export function acknowledge(state: MqttState, messageId: number): void {
  if (state.closedFor !== null) return
  state.acks.push(messageId)
  if (state.acks.length === 1) process.nextTick(flushAcks, state)
}

function flushAcks(state: MqttState): void {
  const { acks } = state
  state.acks = []
  const bytes = Buffer.allocUnsafe(acks.length * 4)
  let at = 0
  for (const messageId of acks) {
    bytes[at] = puback
    bytes[at + 1] = 2
    at = bytes.writeUInt16BE(messageId, at + 2)
  }
  write(state, bytes)
}
