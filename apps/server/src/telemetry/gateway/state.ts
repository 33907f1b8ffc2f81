import type { Socket } from 'node:net'
import { crc32 } from 'node:zlib'
import {
  encodeOmniToDevice,
  type OmniCommandBody,
  type OmniHead,
  type OmniMessage,
} from '@saddle/device-protocols/omni/codec.ts'
import { createOmniSplitter } from '@saddle/device-protocols/omni/frames.ts'
import type { OmniPlatformState } from '@saddle/device-protocols/omni/handshake.ts'
import type { DeviceReport } from '@saddle/device-protocols/report.ts'
import type { ClaimedCommand, Commands, KnownDevice } from '#fleet/public.ts'
import type { Kit } from '#kit/kit.ts'
import type { TelemetryMetrics } from '../metrics.ts'
import type { BatchWriter } from '../reports/batches.ts'
import { soundReport } from '../reports/rules.ts'
import type { ReportRow } from '../reports/store.ts'
import { createBucket, gatewayLimits } from './limits.ts'

export type CloseReason =
  | 'device'
  | 'error'
  | 'flood'
  | 'garbage'
  | 'idle'
  | 'mixed'
  | 'not_reading'
  | 'replaced'
  | 'silent'
  | 'stopping'
  | 'unknown'

export type SessionParts = {
  readonly kit: Pick<Kit, 'clock' | 'log'>
  readonly commands: Commands
  readonly writer: BatchWriter<ReportRow>
  readonly metrics: TelemetryMetrics
  /** The registered device behind a sign-in; null closes the connection. */
  identify(options: { imei: string; address: string }): Promise<KnownDevice | null>
  noteFirmware(options: { vehicleId: number; firmware: string }): Promise<void>
}

/** One connection of one device, as the functions of this folder pass it around. */
export type SessionState = {
  readonly socket: Socket
  readonly parts: SessionParts
  readonly onClosed: (reason: CloseReason) => void
  readonly address: string
  readonly splitter: ReturnType<typeof createOmniSplitter>
  readonly bucket: ReturnType<typeof createBucket>
  readonly openedAt: number
  heardAt: number
  /** Null until the device has signed in. */
  device: KnownDevice | null
  /** Of the latest frame: an answer speaks the same dialect. */
  head: OmniHead | null
  /** Frames that came while the device was looked up; null when it is not being looked up. */
  early: { readonly frame: string; readonly message: OmniMessage }[] | null
  malformed: number
  /** As it said on this connection. */
  firmware: string | null
  handshake: OmniPlatformState
  command: ClaimedCommand | null
  /** The one before: its key may still come, too late. */
  endedCommandId: number | null
  /** Reports on their way to the database. */
  readonly underWay: Set<Promise<void>>
  isWaitingForWriter: boolean
  /** The gateway stops: nothing more is read. */
  isHeld: boolean
  closedFor: CloseReason | null
  /** Steps that must follow one another: what a handshake stores and sends. */
  chain: Promise<void>
}

export function createState(
  socket: Socket,
  parts: SessionParts,
  onClosed: (reason: CloseReason) => void,
): SessionState {
  const { clock } = parts.kit
  return {
    socket,
    parts,
    onClosed,
    address: socket.remoteAddress ?? '',
    splitter: createOmniSplitter(),
    bucket: createBucket({ clock, perSecond: gatewayLimits.framesPerSecond, burst: gatewayLimits.framesBurst }),
    openedAt: clock.now(),
    heardAt: clock.now(),
    device: null,
    head: null,
    early: null,
    malformed: 0,
    firmware: null,
    handshake: { phase: 'idle' },
    command: null,
    endedCommandId: null,
    underWay: new Set(),
    isWaitingForWriter: false,
    isHeld: false,
    closedFor: null,
    chain: Promise.resolve(),
  }
}

export function closeSession(session: SessionState, reason: CloseReason): void {
  if (session.closedFor !== null) return
  session.closedFor = reason
  session.early = null
  // Answers that were given when the gateway stops still go out.
  if (reason === 'stopping') session.socket.destroySoon()
  else session.socket.destroy()
  session.parts.metrics.closed.inc({ reason })
  session.onClosed(reason)
}

/** Runs a step after all that were asked for before it; one that fails ends the connection. */
export function inOrder(session: SessionState, step: () => Promise<void>): void {
  const { log } = session.parts.kit
  session.chain = session.chain.then(step).catch((err: unknown) => {
    log.error({ err, vehicleId: session.device?.vehicleId }, 'a step of a command failed')
    closeSession(session, 'error')
  })
}

export function send(session: SessionState, bodies: readonly OmniCommandBody[]): void {
  const { socket, head } = session
  if (head === null || session.closedFor !== null) return
  const answer = answerHead(head, session.parts.kit.clock.now())
  for (const body of bodies) socket.write(encodeOmniToDevice({ ...answer, ...body }))
  if (socket.writableLength > gatewayLimits.maxUnsentBytes) closeSession(session, 'not_reading')
}

/** The same family of header, from platform to device; the dialect with times gets the time. */
function answerHead(head: OmniHead, nowMs: number): OmniHead {
  const headers = { SCOR: 'SCOS', SCOS: 'SCOS', HBCR: 'HBCS', HBCS: 'HBCS', CMDR: 'CMDS', CMDS: 'CMDS' } as const
  const answer = { header: headers[head.header], vendor: head.vendor, deviceId: head.deviceId }
  return head.sentAt === undefined ? answer : { ...answer, sentAt: nowMs }
}

/** Reads on, or not: while the device is looked up, or its reports wait, its frames stay in its own socket. */
export function pauseWhileBehind(session: SessionState): void {
  const { socket, parts } = session
  if (session.closedFor !== null) return
  const isBehind = parts.writer.isBehind()
  const isFull = session.underWay.size >= gatewayLimits.maxPendingReports
  if (session.isHeld || session.early !== null || isBehind || isFull) socket.pause()
  else socket.resume()
  if (isBehind) void resumeWhenCaughtUp(session)
}

async function resumeWhenCaughtUp(session: SessionState): Promise<void> {
  if (session.isWaitingForWriter) return
  session.isWaitingForWriter = true
  await session.parts.writer.caughtUp()
  session.isWaitingForWriter = false
  pauseWhileBehind(session)
}

export type Said = {
  readonly frame: string
  readonly report: DeviceReport
  readonly kind: string
  readonly commanded?: boolean
}

/** Gives a report to the writer; resolves to true after its commit, to false when it could not be stored. */
export async function store(session: SessionState, said: Said): Promise<boolean> {
  const { device, parts } = session
  if (device === null) return false
  const sound = soundReport(said.report, parts.kit.clock.now())
  for (const fault of sound.faults) parts.metrics.faults.inc({ fault })
  const written = parts.writer.add({
    vehicleId: device.vehicleId,
    kind: said.kind,
    frameCrc: crc32(said.frame) | 0,
    commanded: said.commanded ?? false,
    sound,
  })
  const settled = Promise.allSettled([written]).then(() => undefined)
  session.underWay.add(settled)
  try {
    await written
    return true
  } catch {
    // The writer has logged and counted it; a device that gets no answer says it again.
    return false
  } finally {
    session.underWay.delete(settled)
    pauseWhileBehind(session)
  }
}

/** A message that says nothing of the vehicle still says that it is there. */
export function spokeOf(message: OmniMessage): DeviceReport {
  return { deviceId: message.deviceId, occurredAt: message.sentAt ?? null, position: null }
}
