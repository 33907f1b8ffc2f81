import type { IConnectPacket, IPublishPacket, ISubscribePacket, IUnsubscribePacket, Packet } from 'mqtt-packet'
import {
  coversMqttTopic,
  isMqttFilter,
  isOwnMqttFilter,
  mqttSubscriptions,
} from '@saddle/device-protocols/mqtt/codec.ts'
import { pauseWhileBehind } from '../backPressure.ts'
import { closeConnection, closeSilent, createConnection, guard, attachSocket, type Transport } from '../connection.ts'
import { settled } from '../inbound.ts'
import { noteMalformed } from '../malformed.ts'
import type { CloseReason, DeviceSession, SessionDeps, SessionWatch } from '../session.ts'
import type { Device } from '../devices.ts'
import { gatewayLimits } from '../limits.ts'
import { dispatch, expireCommand, onDelivered, sendConfig } from './commands.ts'
import { onPublication, onUsualReport } from './publications.ts'
import { createPacketReader, viewOf, type Published } from './reader.ts'
import { upgrade } from './upgrades.ts'
import { leave, mqttReasons, sendPacket, type MqttState } from './state.ts'

/**
 * One MQTT device, 3.1.1 or 5. Devices talk to the platform and not to each other, so this is no broker: a device
 * publishes on its own topics, receives its own commands and configuration, and is acknowledged after the commit.
 */
export function createMqttSession(socket: Transport, deps: SessionDeps, watch: SessionWatch): DeviceSession {
  const connection = createConnection({
    protocol: 'mqtt',
    socket,
    deps,
    maxPendingReports: gatewayLimits.mqttReceiveMaximum,
  })
  const own = { version: 0, idleMs: gatewayLimits.idleMs, will: null, hasSubscribed: false, lastMessageId: 0 }
  const state: MqttState = Object.assign(connection, {
    ...own,
    unanswered: new Map<number, number>(),
    commandSentAt: 0,
    configVersion: 0,
    acks: [],
    reportTopic: null,
    usualReports: { settled: (failure: unknown, messageId: number) => onUsualReport(state, failure, messageId) },
  })
  const session: DeviceSession = {
    protocol: 'mqtt',
    get device() {
      return state.device
    },
    dispatch: () => dispatch(state),
    upgrade: () => upgrade(state),
    holdUpgrade: () => {
      state.upgrade = null
    },
    tick: () =>
      guard(state, () => {
        if (!closeSilent(state, state.idleMs)) expireCommand(state)
      }),
    updateDevice(device) {
      state.device = device
    },
    close: (reason) => leave(state, reason),
    hold() {
      state.isHeld = true
      pauseWhileBehind(state)
    },
    settled: () => settled(state),
  }
  const signedIn = (device: Device): void => watch.onSignedIn(session, device)
  state.onClosed = (reason) => {
    state.unanswered.clear()
    watch.onClosed(session)
    onDisconnected(state, reason)
  }
  const early: Early[] = []
  const onConnect = (connect: IConnectPacket): void => void signIn(state, { connect, early, signedIn })
  const reader = createPacketReader({
    onPublished(published) {
      if (state.closedFor !== null) return
      if (state.isSigningIn) early.push(kept(published))
      else onPublished(state, published)
    },
    onPacket(packet) {
      if (state.closedFor !== null) return
      if (state.isSigningIn) early.push(packet)
      else onPacket(state, packet, onConnect)
    },
    onError(error) {
      if (state.closedFor !== null) return
      noteMalformed(state, 'frame', error.message)
      leave(state, 'protocol', mqttReasons.malformedPacket)
    },
  })
  attachSocket(state, (chunk) => {
    if (state.closedFor !== null) return
    state.heardAt = deps.kit.clock.now()
    // What is left in the buffer is the beginning of a packet; its length is limited.
    const rest = reader.read(chunk)
    const isUnsigned = state.device === null && !state.isSigningIn
    if (rest > (isUnsigned ? gatewayLimits.maxUnsignedMqttBytes : gatewayLimits.maxMqttPacketBytes))
      leave(state, 'too_large', mqttReasons.packetTooLarge)
    pauseWhileBehind(state)
  })
  return session
}

type OtherPacket = Exclude<Packet, IPublishPacket>
/** What came while the device was looked up. */
type Early = OtherPacket | (Published & { readonly cmd: 'publish' })

function kept(published: Published): Early {
  const bytes = Buffer.from(published.bytes.subarray(published.start, published.end))
  return { ...published, cmd: 'publish', bytes, view: viewOf(bytes), start: 0, end: bytes.length }
}

function onPacket(state: MqttState, packet: OtherPacket, onConnect: (packet: IConnectPacket) => void): void {
  if (state.device === null) {
    if (packet.cmd === 'connect') onConnect(packet)
    else closeConnection(state, 'garbage')
    return undefined
  }
  // Reports are slowed down by back-pressure; other packets are rare and therefore limited here.
  if (!state.bucket.take()) return closeConnection(state, 'flood')
  switch (packet.cmd) {
    case 'puback':
      onDelivered(state, packet.messageId ?? 0)
      break
    case 'subscribe':
      onSubscribe(state, packet)
      break
    case 'unsubscribe':
      onUnsubscribe(state, packet)
      break
    case 'pingreq':
      sendPacket(state, { cmd: 'pingresp' })
      break
    case 'disconnect':
      // A regular disconnect: the will is dropped, unless the reason code asks for it.
      if (packet.reasonCode !== 0x04) state.will = null
      closeConnection(state, 'device')
      break
    case 'auth':
    case 'connack':
    case 'connect':
    case 'pingresp':
    case 'pubcomp':
    case 'pubrec':
    case 'pubrel':
    case 'suback':
    case 'unsuback':
      // A second CONNECT, QoS 2, or what only a server sends.
      closeConnection(state, 'garbage')
  }
  return undefined
}

/** The reader accepts the packet id 0, and other packets than PUBLISH without one, which the standard forbids. */
const isNumber = (messageId: number | undefined): messageId is number => messageId !== undefined && messageId > 0

function onPublished(state: MqttState, published: Published): void {
  if (state.device === null) return closeConnection(state, 'garbage')
  if (published.qos > 1) return leave(state, 'protocol', mqttReasons.qosNotSupported)
  if (published.qos === 1 && published.messageId < 1) return leave(state, 'protocol', mqttReasons.malformedPacket)
  return onPublication(state, published)
}

function onSubscribe(state: MqttState, packet: ISubscribePacket): void {
  const { messageId, subscriptions } = packet
  if (!isNumber(messageId) || subscriptions.length === 0) return leave(state, 'protocol', mqttReasons.protocolError)
  const imei = state.device?.imei ?? ''
  const granted = subscriptions.map(({ topic, qos }) =>
    isOwnMqttFilter(imei, topic) ? Math.min(qos, 1) : refusal(topic),
  )
  sendPacket(state, { cmd: 'suback', messageId, granted })
  const [commands = '', config = ''] = mqttSubscriptions(imei)
  for (const { topic } of subscriptions) {
    if (!isOwnMqttFilter(imei, topic)) continue
    if (coversMqttTopic(topic, config)) sendConfig(state)
    if (coversMqttTopic(topic, commands)) {
      state.hasSubscribed = true
      dispatch(state)
      upgrade(state)
    }
  }
  return undefined

  function refusal(topic: string): number {
    if (state.version < 5) return 0x80
    return isMqttFilter(topic) ? mqttReasons.notAuthorized : mqttReasons.filterInvalid
  }
}

function onUnsubscribe(state: MqttState, packet: IUnsubscribePacket): void {
  const { messageId, unsubscriptions } = packet
  if (!isNumber(messageId) || unsubscriptions.length === 0) return leave(state, 'protocol', mqttReasons.protocolError)
  return sendPacket(state, { cmd: 'unsuback', messageId, granted: unsubscriptions.map(() => 0) })
}

type SigningIn = { connect: IConnectPacket; early: Early[]; signedIn: (device: Device) => void }

async function signIn(state: MqttState, { connect, early, signedIn }: SigningIn): Promise<void> {
  const { deps, address } = state
  state.version = connect.protocolVersion ?? 4
  if (state.version < 4) return refuse(state, 'garbage', { five: mqttReasons.unsupportedVersion, four: 1 })
  state.isSigningIn = true
  const name = connect.username ?? ''
  const call = { name, protocol: 'mqtt', address } as const
  try {
    const device = /^[0-9]{15}$/.test(name) ? await deps.identify(call) : null
    if (state.closedFor !== null) return undefined
    if (device === null) return refuse(state, 'unknown', { five: mqttReasons.notAuthorized, four: 5 })
    const isLetIn =
      state.socket.isAuthenticated === true || deps.secrets.isDeviceSecret(device, String(connect.password ?? ''))
    if (!isLetIn) {
      deps.noteRefused(call)
      return refuse(state, 'secret', { five: mqttReasons.badUserNameOrPassword, four: 4 })
    }
    accept(state, connect, device)
    signedIn(device)
    state.isSigningIn = false
    for (const packet of early.splice(0)) {
      if (state.closedFor !== null) break
      if (packet.cmd === 'publish') onPublished(state, packet)
      else onPacket(state, packet, () => closeConnection(state, 'garbage'))
    }
    pauseWhileBehind(state)
  } catch (err) {
    deps.kit.log.error({ err }, 'the sign-in of a device failed')
    closeConnection(state, 'error')
  }
  return undefined
}

function accept(state: MqttState, connect: IConnectPacket, device: Device): void {
  state.device = device
  const longest = Math.floor(gatewayLimits.idleMs / 1000)
  const wanted = connect.keepalive ?? 0
  const keepAlive = wanted === 0 || wanted > longest ? longest : wanted
  // Versions before 5 cannot be told a shorter keep-alive; the standard allows one and a half times its length.
  state.idleMs = keepAlive * 1_500
  const { will } = connect
  state.will = will === undefined ? null : { topic: will.topic, payload: will.payload as unknown as Buffer }
  const properties =
    state.version === 5
      ? {
          properties: {
            receiveMaximum: gatewayLimits.mqttReceiveMaximum,
            maximumQoS: 1,
            maximumPacketSize: gatewayLimits.maxMqttPacketBytes,
            topicAliasMaximum: 0,
            // The session ends with its connection, whatever was requested: waiting commands are kept in the database.
            sessionExpiryInterval: 0,
            sharedSubscriptionAvailable: false,
            serverKeepAlive: keepAlive,
          },
        }
      : {}
  // Sessions are never resumed: a device subscribes after each connection and then receives what is waiting.
  sendPacket(state, { cmd: 'connack', sessionPresent: false, returnCode: 0, reasonCode: 0, ...properties })
}

function refuse(state: MqttState, reason: CloseReason, codes: { five: number; four: number }): void {
  sendPacket(state, { cmd: 'connack', sessionPresent: false, returnCode: codes.four, reasonCode: codes.five })
  closeConnection(state, reason)
}

/** Handles the will of a broken connection: it is known at once, where silence would be noticed minutes later. */
function onDisconnected(state: MqttState, reason: CloseReason): void {
  const { will, device, deps } = state
  if (will === null || device === null || reason === 'replaced' || reason === 'stopping') return
  deps.metrics.wills.inc()
  deps.disconnected.note({ vehicleId: device.vehicleId, at: deps.kit.clock.now() })
}
