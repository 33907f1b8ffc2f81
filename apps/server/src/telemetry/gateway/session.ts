import type { Socket } from 'node:net'
import { ProtocolError } from '@saddle/device-protocols/error.ts'
import { decodeOmni, omniProfiles, toReport, type OmniMessage } from '@saddle/device-protocols/omni/codec.ts'
import { stepOmniHandshake } from '@saddle/device-protocols/omni/handshake.ts'
import type { KnownDevice } from '#fleet/public.ts'
import { gatewayLimits } from './limits.ts'
import { dispatch, expireHandshake, onKey, onResult } from './locking.ts'
import {
  closeSession,
  createState,
  inOrder,
  pauseWhileBehind,
  send,
  spokeOf,
  store,
  type CloseReason,
  type SessionParts,
  type SessionState,
} from './state.ts'

export type OmniSession = {
  /** Null until it has signed in. */
  readonly device: KnownDevice | null
  /** Looks for a queued command and begins it, when none is under way. */
  dispatch(): void
  /** The clock's work: handshakes and connections whose time is over. */
  tick(): void
  close(reason: CloseReason): void
  /** Reads nothing more. */
  hold(): void
  /** Resolves when everything that was read so far is written and answered. */
  settled(): Promise<void>
}

export type SessionWatch = {
  /** Takes the place of an older connection of the same device. */
  onSignedIn(session: OmniSession, device: KnownDevice): void
  onClosed(session: OmniSession): void
}

/** One connection of one Omni device. What it sends is answered only after what it said is committed. */
export function createOmniSession(socket: Socket, parts: SessionParts, watch: SessionWatch): OmniSession {
  const state = createState(socket, parts, () => watch.onClosed(session))
  const session: OmniSession = {
    get device() {
      return state.device
    },
    dispatch: () => dispatch(state),
    tick: () => tick(state),
    close: (reason) => closeSession(state, reason),
    hold() {
      state.isHeld = true
      pauseWhileBehind(state)
    },
    async settled() {
      await Promise.all(state.underWay)
      await state.chain
    },
  }
  socket.on('data', (chunk) => onData(state, chunk, (device) => watch.onSignedIn(session, device)))
  socket.on('error', () => closeSession(state, 'device'))
  socket.on('close', () => closeSession(state, 'device'))
  return session
}

type OnSignedIn = (device: KnownDevice) => void

function onData(session: SessionState, chunk: Uint8Array, onSignedIn: OnSignedIn): void {
  for (const frame of session.splitter.push(chunk)) {
    if (session.closedFor !== null) return
    onFrame(session, frame, onSignedIn)
  }
  if (session.splitter.discardedBytes > gatewayLimits.maxGarbageBytes) closeSession(session, 'garbage')
  pauseWhileBehind(session)
}

function onFrame(session: SessionState, frame: string, onSignedIn: OnSignedIn): void {
  if (!session.bucket.take()) return closeSession(session, 'flood')
  const message = decode(session, frame)
  if (message === null) return undefined
  session.heardAt = session.parts.kit.clock.now()
  if (session.device !== null) return onMessage(session, { frame, message })
  if (session.early !== null) {
    session.early.push({ frame, message })
    return undefined
  }
  session.early = [{ frame, message }]
  void signIn(session, { message, onSignedIn })
  return undefined
}

function decode(session: SessionState, frame: string): OmniMessage | null {
  const { metrics, kit } = session.parts
  try {
    return decodeOmni(frame, profileOf(session.device))
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    metrics.malformed.inc()
    session.malformed += 1
    kit.log.debug({ reason: error.reason, address: session.address }, 'a malformed frame')
    if (session.malformed > gatewayLimits.maxMalformedFrames) closeSession(session, 'garbage')
    return null
  }
}

async function signIn(
  session: SessionState,
  { message, onSignedIn }: { message: OmniMessage; onSignedIn: OnSignedIn },
): Promise<void> {
  const { parts, address } = session
  try {
    const device = await parts.identify({ imei: message.deviceId, address })
    if (session.closedFor !== null) return
    if (device === null) return closeSession(session, 'unknown')
    session.device = device
    session.head = message
    onSignedIn(device)
    const waiting = session.early ?? []
    session.early = null
    for (const said of waiting) {
      if (session.closedFor === null) onMessage(session, said)
    }
    dispatch(session)
    pauseWhileBehind(session)
  } catch (err) {
    parts.kit.log.error({ err }, 'a device could not be taken in')
    closeSession(session, 'error')
  }
}

type Said = { readonly frame: string; readonly message: OmniMessage }

function onMessage(session: SessionState, { frame, message }: Said): void {
  const { device, parts } = session
  // One line, one device: whoever speaks for another one is not the device that signed in.
  if (message.deviceId !== device?.imei) return closeSession(session, 'mixed')
  parts.metrics.frames.inc({ instruction: message.instruction })
  session.head = message
  const step = stepOmniHandshake(session.handshake, message)
  session.handshake = step.state
  const { event } = step
  if (message.instruction === 'R0') return onKey(session, { frame, message, event, answer: step.send })
  if (message.instruction === 'L0' || message.instruction === 'L1') return onResult(session, { frame, message, event })
  if (message.instruction === 'G0') noteFirmware(session, message.firmware)
  void storeAndAnswer(session, { frame, message })
  return undefined
}

function noteFirmware(session: SessionState, firmware: string): void {
  const { device, parts } = session
  if (device === null || session.firmware === firmware) return
  session.firmware = firmware
  inOrder(session, () => parts.noteFirmware({ vehicleId: device.vehicleId, firmware }))
}

async function storeAndAnswer(session: SessionState, { frame, message }: Said): Promise<void> {
  const { instruction } = message
  const report = toReport(message, profileOf(session.device)) ?? spokeOf(message)
  const isStored = await store(session, { frame, report, kind: instruction })
  const wantsAnswer = instruction === 'W0' || instruction === 'E0' || instruction === 'L5'
  if (isStored && wantsAnswer) send(session, [{ instruction: 'ack', of: instruction }])
}

function profileOf(device: KnownDevice | null) {
  return device?.profile === 'early' ? omniProfiles.early : omniProfiles.standard
}

function tick(session: SessionState): void {
  const nowMs = session.parts.kit.clock.now()
  if (session.device === null && nowMs - session.openedAt > gatewayLimits.signInWithinMs) {
    closeSession(session, 'silent')
  } else if (nowMs - session.heardAt > gatewayLimits.idleMs) {
    closeSession(session, 'idle')
  } else {
    expireHandshake(session)
  }
}
