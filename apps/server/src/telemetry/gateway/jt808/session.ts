import { crc32 } from 'node:zlib'
import { ProtocolError } from '@saddle/device-protocols/error.ts'
import {
  decodeJt808,
  jt808Registration,
  jt808Result,
  jt808UpIds,
  readJt808Packet,
  toReports,
  type Jt808Message,
  type Jt808MessageOf,
  type Jt808Packet,
} from '@saddle/device-protocols/jt808/codec.ts'
import type { DeviceReport } from '@saddle/device-protocols/report.ts'
import { pauseWhileBehind } from '../backPressure.ts'
import { noteFirmware } from '../commandSteps.ts'
import { closeConnection, closeSilent, createConnection, guard, attachSocket, type Transport } from '../connection.ts'
import { settled, contactReport, submit } from '../inbound.ts'
import { noteMalformed } from '../malformed.ts'
import type { DeviceSession, SessionDeps, SessionWatch } from '../session.ts'
import type { TerminalClaim } from '#fleet/public.ts'
import type { Device } from '../devices.ts'
import { gatewayLimits } from '../limits.ts'
import { withCleared } from './alarms.ts'
import { dispatch, expireCommand, onAnswered, onControlled, onLocated, onLockKnown, onVersionTold } from './commands.ts'
import { onPartAnswered, onPartsRequested, onUpgraded, tickUpgrade, upgrade } from './upgrades.ts'
import { answer, createState, follow, send, type Jt808State } from './state.ts'

type Received = { readonly packet: Jt808Packet; readonly message: Jt808Message }
type OnSignedIn = (device: Device) => void

/** One connection of one JT/T 808 terminal. A report is answered (0x8001) only after its commit. */
export function createJt808Session(socket: Transport, deps: SessionDeps, watch: SessionWatch): DeviceSession {
  const state = createState(createConnection({ protocol: 'jt808', socket, deps }))
  const session: DeviceSession = {
    protocol: 'jt808',
    get device() {
      return state.device
    },
    dispatch: () => dispatch(state),
    upgrade: () => upgrade(state),
    holdUpgrade: () => {
      state.upgrade = null
      state.upgradeBody = null
    },
    tick: () =>
      guard(state, () => {
        if (closeSilent(state, gatewayLimits.idleMs)) return
        expireCommand(state)
        tickUpgrade(state)
      }),
    updateDevice(device) {
      state.device = device
      dispatch(state)
    },
    close: (reason) => closeConnection(state, reason),
    hold() {
      state.isHeld = true
      pauseWhileBehind(state)
    },
    settled: () => settled(state),
  }
  state.onClosed = () => watch.onClosed(session)
  const early: Received[] = []
  const signedIn: OnSignedIn = (device) => watch.onSignedIn(session, device)
  attachSocket(state, (chunk) => {
    for (const content of state.splitter.push(chunk)) {
      if (state.closedFor !== null) return
      if (!state.bucket.take()) return closeConnection(state, 'flood')
      const received = decode(state, content)
      if (received === null) continue
      state.heardAt = deps.kit.clock.now()
      if (state.isSigningIn) early.push(received)
      else guard(state, () => onReceived(state, received, { early, signedIn }))
    }
    if (state.splitter.discardedBytes > gatewayLimits.maxGarbageBytes) closeConnection(state, 'garbage')
    return pauseWhileBehind(state)
  })
  return session
}

function decode(state: Jt808State, content: Buffer): Received | null {
  try {
    const part = readJt808Packet(content)
    // Messages before sign-in are never split, and no parts are kept for a terminal that has not signed in.
    if (part.part && state.device === null) throw new ProtocolError('a part of a message comes before the sign-in')
    const packet = state.reassembler.add(part, state.deps.kit.clock.now())
    return packet === null ? null : { packet, message: decodeJt808(packet) }
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    if (!noteMalformed(state, 'frame', error.reason)) closeConnection(state, 'garbage')
    return null
  }
}

type SignIn = { early: Received[]; signedIn: OnSignedIn }

async function onReceived(state: Jt808State, received: Received, signIn: SignIn): Promise<void> {
  const { message } = received
  const { headerVersion, protocolVersion, deviceId, serial } = message
  if (state.head !== null && state.head.deviceId !== deviceId) return closeConnection(state, 'mixed')
  state.head = { headerVersion, deviceId, serial, ...(protocolVersion === undefined ? {} : { protocolVersion }) }
  if (state.device !== null) return onMessage(state, received)
  // Messages of a terminal that has not shown its code are not trusted.
  if (message.message !== 'register' && message.message !== 'authenticate') return closeConnection(state, 'secret')
  state.isSigningIn = true
  try {
    await onSigningIn(state, { packet: received.packet, message }, signIn.signedIn)
  } catch (err) {
    state.deps.kit.log.error({ err }, 'the sign-in of a device failed')
    return closeConnection(state, 'error')
  }
  state.isSigningIn = false
  for (const next of signIn.early.splice(0)) {
    if (state.closedFor === null) await onReceived(state, next, signIn)
  }
  return pauseWhileBehind(state)
}

/** A terminal of 2019 names itself by its IMEI, one of 2013 by a number of its own. */
function nameOf(deviceId: string): string {
  return deviceId.length === 20 && deviceId.startsWith('00000') ? deviceId.slice(5) : deviceId
}

type Knock = { packet: Jt808Packet; message: Jt808MessageOf<'register'> | Jt808MessageOf<'authenticate'> }

async function onSigningIn(state: Jt808State, { packet, message }: Knock, signedIn: OnSignedIn): Promise<void> {
  const { deps, address } = state
  const { secrets } = deps
  const call = { name: nameOf(message.deviceId), protocol: 'jt808', address } as const
  const device = await deps.identify(call)
  if (state.closedFor !== null) return
  const answeredSerial = packet.serial
  if (message.message === 'register') {
    if (device === null) {
      send(state, { message: 'registerAnswer', answeredSerial, result: jt808Registration.terminalUnknown })
      return closeConnection(state, 'unknown')
    }
    const result = await register(state, device, message)
    if (state.closedFor !== null) return
    if (result === jt808Registration.success) {
      send(state, { message: 'registerAnswer', answeredSerial, result, code: secrets.authCode(device) })
      return
    }
    deps.noteRefused(call)
    send(state, { message: 'registerAnswer', answeredSerial, result })
    return closeConnection(state, 'secret')
  }
  const isRight = device !== null && secrets.isAuthCode(device, message.code)
  answer(state, packet, isRight ? jt808Result.success : jt808Result.failed)
  if (device === null) return closeConnection(state, 'unknown')
  if (!isRight) {
    deps.noteRefused(call)
    return closeConnection(state, 'secret')
  }
  state.device = device
  follow(state, device.profile)
  signedIn(device)
  if (message.firmware !== undefined && message.firmware !== '') noteFirmware(state, message.firmware)
  dispatch(state)
  upgrade(state)
}

const registrationResults: Readonly<Record<TerminalClaim, number>> = {
  registered: jt808Registration.success,
  // A second terminal with this number: the first one keeps the vehicle until staff release it.
  taken: jt808Registration.vehicleTaken,
  known: jt808Registration.terminalTaken,
  closed: jt808Registration.terminalUnknown,
}

/** Registers a terminal. Its code authenticates it afterwards: the number alone is not enough. */
async function register(
  { deps }: Jt808State,
  device: Device,
  { manufacturer, model, terminalId, plate }: Jt808MessageOf<'register'>,
): Promise<number> {
  if (!isPlateOf(device, plate)) return jt808Registration.vehicleUnknown
  const marks = deps.secrets.terminalMarks([manufacturer, model, terminalId, plate])
  return registrationResults[await deps.vehicles.claimTerminal({ vehicleId: device.vehicleId, marks })]
}

/** A terminal may send the plate or the printed number of its vehicle; one that sends neither is accepted too. */
function isPlateOf({ plate, number }: Device, said: string): boolean {
  const given = said.replace(/\s/g, '').toUpperCase()
  return given === '' || plate === null || given === plate || given === number.toUpperCase()
}

function onMessage(state: Jt808State, { packet, message }: Received): void {
  const { deps } = state
  deps.metrics.countFrame('jt808', message.message)
  switch (message.message) {
    case 'position':
    case 'positionBatch':
      return storeAll(state, { packet, message }, () => answer(state, packet))
    case 'positionAnswer':
      return storeAll(state, { packet, message }, () => onLocated(state, message.answeredSerial))
    case 'vehicleControlAnswer':
      return onControlAnswer(state, { packet, message })
    case 'generalAnswer':
      return onPartAnswered(state, message) ? undefined : onAnswered(state, message)
    case 'packetRequest':
      return onPartsRequested(state, message)
    case 'upgradeResult':
      onUpgraded(state, message)
      return answer(state, packet)
    case 'timeQuery':
      send(state, { message: 'serverTime', timeUtc: deps.kit.clock.now() })
      return undefined
    case 'attributes':
      noteFirmware(state, message.firmware)
      return onVersionTold(state)
    case 'heartbeat':
    case 'authenticate':
      return storeOne(state, { packet, message }, () => answer(state, packet))
    case 'logout':
      if (state.device !== null) deps.disconnected.note({ vehicleId: state.device.vehicleId, at: deps.kit.clock.now() })
      answer(state, packet)
      return closeConnection(state, 'device')
    case 'register':
      return closeConnection(state, 'garbage')
    case 'parameters':
      return undefined
    case 'unknown':
      return answer(state, packet, jt808Result.unsupported)
  }
}

/** Handles the result of vehicle control with its position; the terminal expects an answer as to any message. */
function onControlAnswer(
  state: Jt808State,
  { packet, message }: { packet: Jt808Packet; message: Jt808MessageOf<'vehicleControlAnswer'> },
): void {
  storeAll(state, { packet, message }, (reports) => {
    onControlled(state, { answeredSerial: message.answeredSerial, locked: reports[0]?.locked })
    answer(state, packet)
  })
}

function storeOne(state: Jt808State, { packet, message }: Received, stored: () => void): void {
  // Heartbeats carry no time, so none counts as a repeat.
  const said = { frameCrc: crc32(packet.body), report: contactReport(message.deviceId), kind: kindOf(packet) }
  submit(state, said, {
    settled(failure) {
      if (failure === null) stored()
    },
  })
}

/** Stores the reports of one message and calls back when the last of them is committed. */
function storeAll(
  state: Jt808State,
  { packet, message }: Received,
  stored: (reports: readonly DeviceReport[]) => void,
): void {
  const reports = toReports(message, state.codecProfile).map((said) => {
    const { report, lasting } = withCleared(state.lastingAlarms, said)
    state.lastingAlarms = lasting
    return report
  })
  let left = reports.length
  if (left === 0) return stored(reports)
  let isWhole = true
  const turned = onLockKnown(state, reports)
  const frameCrc = crc32(packet.body)
  for (const [part, report] of reports.entries()) {
    const said = { frameCrc, report, kind: kindOf(packet), part, commanded: turned !== null }
    submit(state, said, {
      settled(failure) {
        left -= 1
        isWhole &&= failure === null
        if (left > 0 || !isWhole) return
        turned?.()
        stored(reports)
      },
    })
  }
  return undefined
}

function kindOf({ messageId }: Jt808Packet): string {
  return messageId === jt808UpIds.position ? '0200' : messageId.toString(16).padStart(4, '0')
}
