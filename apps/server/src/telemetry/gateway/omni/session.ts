import { ProtocolError } from '@saddle/device-protocols/error.ts'
import { decodeOmni, omniProfiles, toReport, type OmniMessage } from '@saddle/device-protocols/omni/codec.ts'
import { stepOmniHandshake } from '@saddle/device-protocols/omni/handshake.ts'
import { pauseWhileBehind } from '../backPressure.ts'
import { noteFirmware } from '../commandSteps.ts'
import { closeConnection, closeSilent, createConnection, guard, attachSocket, type Transport } from '../connection.ts'
import { settled, contactReport as spoke, store } from '../inbound.ts'
import { noteMalformed } from '../malformed.ts'
import type { DeviceSession, SessionDeps, SessionWatch } from '../session.ts'
import type { Device } from '../devices.ts'
import { gatewayLimits } from '../limits.ts'
import { dispatch, expireHandshake, onKey, onOtherAnswer, onResult } from './locking.ts'
import { storeOnce } from './repeats.ts'
import { askVersion, onPull, onUpgraded, tickUpgrade, upgrade } from './upgrades.ts'
import { createState, send, contactReport, type SessionState } from './state.ts'

/** The fleet's name of the alarm. */
const contestAlarm = 'address_contest'

/** One connection of one Omni device. A message is answered only after its report is committed. */
export function createOmniSession(socket: Transport, deps: SessionDeps, watch: SessionWatch): DeviceSession {
  const state = createState(createConnection({ protocol: 'omni', socket, deps }))
  const session: DeviceSession = {
    protocol: 'omni',
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
        expireProbe(state)
        if (closeSilent(state, gatewayLimits.idleMs)) return
        expireHandshake(state)
        tickUpgrade(state)
        askVersion(state)
      }),
    updateDevice(device) {
      state.device = device
    },
    close: (reason) => closeConnection(state, reason),
    hold() {
      state.isHeld = true
      pauseWhileBehind(state)
    },
    settled: () => settled(state),
    contest: {
      address: state.address,
      openedAt: state.openedAt,
      isAlive: () => probe(state),
      alarm: () => raiseContest(state),
    },
  }
  state.onClosed = () => {
    state.early = null
    endProbe(state, false)
    watch.onClosed(session)
  }
  const entry: Entry = { admits: watch.admits, signedIn: (device) => watch.onSignedIn(session, device) }
  attachSocket(state, (chunk) => onData(state, chunk, entry))
  return session
}

type Entry = Pick<SessionWatch, 'admits'> & { readonly signedIn: (device: Device) => void }

/** Asks the device for its position; any message that follows proves that the connection is alive. */
function probe(session: SessionState): Promise<boolean> {
  endProbe(session, false)
  return new Promise((settle) => {
    session.probe = { until: session.deps.kit.clock.now() + gatewayLimits.contestMs, settle }
    send(session, [{ instruction: 'D0' }])
  })
}

function endProbe(session: SessionState, isAlive: boolean): void {
  session.probe?.settle(isAlive)
  session.probe = null
}

function expireProbe(session: SessionState): void {
  if (session.probe !== null && session.deps.kit.clock.now() >= session.probe.until) endProbe(session, false)
}

/** Stored as a report of the vehicle, so that the alarm opens like any other. */
function raiseContest(session: SessionState): void {
  const { head, deps } = session
  const report = { ...spoke(head?.deviceId ?? '', deps.kit.clock.now()), alarms: [contestAlarm] }
  guard(session, async () => {
    await store(session, { frame: contestAlarm, kind: 'network', report })
  })
}

function onData(session: SessionState, chunk: Uint8Array, entry: Entry): void {
  if (session.closedFor !== null) return
  for (const frame of session.splitter.push(chunk)) {
    if (session.closedFor !== null) return
    onFrame(session, frame, entry)
  }
  if (session.splitter.discardedBytes > gatewayLimits.maxGarbageBytes) closeConnection(session, 'garbage')
  pauseWhileBehind(session)
}

function onFrame(session: SessionState, frame: string, entry: Entry): void {
  if (!session.bucket.take()) return closeConnection(session, 'flood')
  const message = decode(session, frame)
  if (message === null) return undefined
  session.heardAt = session.deps.kit.clock.now()
  if (session.probe !== null) endProbe(session, true)
  if (session.device !== null) return onMessage(session, { frame, message })
  if (session.early !== null) {
    session.early.push({ frame, message })
    return undefined
  }
  session.early = [{ frame, message }]
  session.isSigningIn = true
  return guard(session, () => signIn(session, { message, entry }))
}

function decode(session: SessionState, frame: string): OmniMessage | null {
  try {
    return decodeOmni(frame, profileOf(session.device))
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    if (!noteMalformed(session, 'frame', error.reason)) closeConnection(session, 'garbage')
    return null
  }
}

async function signIn(
  session: SessionState,
  { message, entry }: { message: OmniMessage; entry: Entry },
): Promise<void> {
  const { deps, address } = session
  try {
    const call = { name: message.deviceId, protocol: 'omni', address } as const
    const device = await deps.identify(call)
    if (session.closedFor !== null) return
    if (device === null) return closeConnection(session, 'unknown')
    if (!(await entry.admits(device, address))) {
      deps.noteRefused(call)
      return closeConnection(session, 'contested')
    }
    if (session.closedFor !== null) return
    session.device = device
    session.head = message
    entry.signedIn(device)
    const waiting = session.early ?? []
    session.early = null
    session.isSigningIn = false
    for (const received of waiting) {
      if (session.closedFor === null) onMessage(session, received)
    }
    dispatch(session)
    upgrade(session)
    pauseWhileBehind(session)
  } catch (err) {
    deps.kit.log.error({ err }, 'the sign-in of a device failed')
    closeConnection(session, 'error')
  }
}

type Said = { readonly frame: string; readonly message: OmniMessage }

function onMessage(session: SessionState, { frame, message }: Said): void {
  const { device, deps } = session
  // One connection belongs to one device: a frame with another IMEI is not from the device that signed in.
  if (message.deviceId !== device?.imei) return closeConnection(session, 'mixed')
  deps.metrics.countFrame('omni', message.instruction)
  session.head = message
  const step = stepOmniHandshake(session.handshake, message)
  session.handshake = step.state
  const { event } = step
  if (message.instruction === 'R0') return onKey(session, { frame, message, event, answer: step.send })
  if (message.instruction === 'L0' || message.instruction === 'L1') return onResult(session, { frame, message, event })
  if (message.instruction === 'G0' || message.instruction === 'U0') noteFirmware(session, message.firmware)
  // Packages are no reports: the history would have thousands of them.
  if (message.instruction === 'U1') return onPull(session, message)
  if (message.instruction === 'U2') onUpgraded(session, message)
  return guard(session, () => storeAndAnswer(session, { frame, message }))
}

async function storeAndAnswer(session: SessionState, { frame, message }: Said): Promise<void> {
  const { instruction } = message
  // The present command: another may replace it while the report is stored.
  const { command } = session
  const report = toReport(message, profileOf(session.device)) ?? contactReport(message)
  const isStored = await storeOnce(session, message, { frame, report, kind: instruction })
  const wantsAnswer = instruction === 'W0' || instruction === 'E0' || instruction === 'L5'
  if (!isStored) return
  if (wantsAnswer) send(session, [{ instruction: 'ack', of: instruction }])
  if (command !== null) onOtherAnswer(session, { command, message })
}

function profileOf(device: Device | null) {
  const profile = device?.profile
  return profile?.protocol === 'omni' ? omniProfiles[profile.dialect] : omniProfiles.standard
}
