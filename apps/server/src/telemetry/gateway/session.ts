import type { Socket } from 'node:net'
import { crc32 } from 'node:zlib'
import { ProtocolError } from '@saddle/device-protocols/error.ts'
import {
  decodeOmni,
  encodeOmniToDevice,
  omniProfiles,
  omniResult,
  toReport,
  type OmniCommandBody,
  type OmniHead,
  type OmniMessage,
  type OmniMessageOf,
} from '@saddle/device-protocols/omni/codec.ts'
import { createOmniSplitter } from '@saddle/device-protocols/omni/frames.ts'
import {
  beginOmniHandshake,
  expireOmniHandshake,
  stepOmniHandshake,
  type OmniPlatformEvent,
  type OmniPlatformState,
} from '@saddle/device-protocols/omni/handshake.ts'
import type { DeviceReport } from '@saddle/device-protocols/report.ts'
import { commandFailures, type ClaimedCommand, type Commands, type KnownDevice } from '#fleet/public.ts'
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
  /** Takes the place of an older connection of the same device. */
  onSignedIn(session: OmniSession, device: KnownDevice): void
  onClosed(session: OmniSession, reason: CloseReason): void
}

export type OmniSession = {
  readonly device: KnownDevice | null
  /** Looks for a queued command and sends it, when none is under way. */
  dispatch(): void
  /** The clock's work: handshakes and connections whose time is over. */
  tick(): void
  close(reason: CloseReason): void
  /** Resolves when everything that was read so far is written and answered. */
  settled(): Promise<void>
}

/** One connection of one Omni device. What it sends is answered only after what it said is committed. */
export function createOmniSession(socket: Socket, parts: SessionParts): OmniSession {
  const { kit, commands, writer, metrics } = parts
  const { clock, log } = kit
  const address = socket.remoteAddress ?? ''
  const splitter = createOmniSplitter()
  const bucket = createBucket({ clock, perSecond: gatewayLimits.framesPerSecond, burst: gatewayLimits.framesBurst })
  const openedAt = clock.now()
  let heardAt = openedAt
  let device: KnownDevice | null = null
  let head: OmniHead | null = null
  let isIdentifying = false
  let early: { frame: string; message: OmniMessage }[] = []
  let malformed = 0
  let handshake: OmniPlatformState = { phase: 'idle' }
  let command: ClaimedCommand | null = null
  let pending = 0
  let isWaitingForWriter = false
  let closedFor: CloseReason | null = null
  let chain: Promise<void> = Promise.resolve()
  const open = new Set<Promise<void>>()

  /** Steps that must follow one another: what a handshake stores and sends. */
  const inOrder = (step: () => Promise<void>): void => {
    chain = chain.then(step).catch((err: unknown) => {
      log.error({ err, vehicleId: device?.vehicleId }, 'a step of a command failed')
      close('error')
    })
  }

  const send = (bodies: readonly OmniCommandBody[]): void => {
    if (head === null || closedFor !== null) return
    for (const body of bodies) {
      socket.write(encodeOmniToDevice({ ...answerHead(head, clock.now()), ...body }))
    }
    if (socket.writableLength > gatewayLimits.maxUnsentBytes) close('not_reading')
  }

  const pauseWhileBehind = (): void => {
    if (closedFor !== null) return
    if (isIdentifying || pending >= gatewayLimits.maxPendingReports || writer.isBehind()) socket.pause()
    else socket.resume()
    if (!writer.isBehind() || isWaitingForWriter) return
    isWaitingForWriter = true
    void writer.caughtUp().then(() => {
      isWaitingForWriter = false
      pauseWhileBehind()
    })
  }

  /** Gives a report to the writer; resolves to false when it could not be stored. */
  const store = async (frame: string, report: DeviceReport, kind: string, commanded = false): Promise<boolean> => {
    if (device === null) return false
    const sound = soundReport(report, clock.now())
    for (const fault of sound.faults) metrics.faults.inc({ fault })
    pending += 1
    const { vehicleId } = device
    const written = writer.add({ vehicleId, kind, frameCrc: crc32(frame) | 0, commanded, sound }).then(
      () => true,
      () => false,
    )
    const counted = written.then(() => {
      pending -= 1
      open.delete(counted)
      pauseWhileBehind()
    })
    open.add(counted)
    return await written
  }

  const dispatch = (): void => {
    inOrder(async () => {
      if (device === null || closedFor !== null || command !== null) return
      command = await commands.claim(device.vehicleId)
      if (command === null) return
      const nowMs = clock.now()
      // The result echoes user and time: with the command's id as the user it can be told whose it is, even when it
      // comes over another connection.
      const step = beginOmniHandshake({
        operation: command.kind === 'unlock' ? 0 : 1,
        userId: command.commandId,
        timestamp: Math.floor(nowMs / 1000),
        nowMs,
      })
      handshake = step.state
      send(step.send)
    })
  }

  const endCommand = (): void => {
    command = null
    dispatch()
  }

  const onResult = (frame: string, message: OmniMessageOf<'L0' | 'L1'>, event: OmniPlatformEvent | null): void => {
    const kind = message.instruction === 'L0' ? 'unlock' : 'lock'
    const own = event?.kind === 'done' || event?.kind === 'refused' ? command : null
    inOrder(async () => {
      if (device === null) return
      const step = { commandId: own?.commandId ?? message.userId ?? 0, vehicleId: device.vehicleId, kind } as const
      const report = toReport(message, profileOf(device)) ?? spokeOf(message)
      if (message.result === omniResult.success) {
        // A result that nobody waits for any more may still be that of a command that was sent before the line broke.
        const moved = own === null && (await commands.move({ ...step, to: 'confirmed' }))
        const isStored = await store(frame, report, message.instruction, own !== null || moved)
        if (!isStored) return
        if (own !== null) await commands.move({ ...step, to: 'confirmed' })
      } else {
        const isStored = await store(frame, report, message.instruction)
        if (!isStored) return
        const reason = event?.kind === 'refused' ? event.reason : refusals[message.result]
        await commands.move({ ...step, to: 'failed', failure: commandFailures[reason ?? 'other'] })
      }
      send([{ instruction: 'ack', of: message.instruction }])
      if (own !== null) endCommand()
    })
  }

  const onKey = (frame: string, message: OmniMessage, answer: readonly OmniCommandBody[], isTamper: boolean): void => {
    if (device === null) return
    const { vehicleId } = device
    if (isTamper) {
      log.warn({ vehicleId }, 'a device issued a key that nobody asked for')
      void store(frame, { ...spokeOf(message), alarms: ['tamper'] }, 'R0')
      return
    }
    void store(frame, spokeOf(message), 'R0')
    const own = command
    if (answer.length === 0 || own === null) return
    inOrder(async () => {
      const isAlive = await commands.move({ ...own, to: 'acknowledged' })
      if (isAlive) return send(answer)
      handshake = { phase: 'idle' }
      endCommand()
    })
  }

  const onMessage = (frame: string, message: OmniMessage): void => {
    if (device === null) return
    if (message.deviceId !== device.imei) return close('mixed')
    metrics.frames.inc({ instruction: message.instruction })
    head = message
    const step = stepOmniHandshake(handshake, message)
    handshake = step.state
    if (message.instruction === 'R0') return onKey(frame, message, step.send, step.event?.kind === 'tamper')
    if (message.instruction === 'L0' || message.instruction === 'L1') return onResult(frame, message, step.event)
    const stored = store(frame, toReport(message, profileOf(device)) ?? spokeOf(message), message.instruction)
    const { instruction } = message
    if (instruction !== 'W0' && instruction !== 'E0' && instruction !== 'L5') return
    void stored.then((isStored) => {
      if (isStored) send([{ instruction: 'ack', of: instruction }])
    })
  }

  const signIn = async (message: OmniMessage): Promise<void> => {
    const found = await parts.identify({ imei: message.deviceId, address })
    isIdentifying = false
    if (closedFor !== null) return
    if (found === null) return close('unknown')
    device = found
    head = message
    parts.onSignedIn(session, found)
    const waiting = early
    early = []
    for (const { frame, message: next } of waiting) {
      if (closedFor === null) onMessage(frame, next)
    }
    dispatch()
    pauseWhileBehind()
  }

  const onFrame = (frame: string): void => {
    if (!bucket.take()) return close('flood')
    let message: OmniMessage
    try {
      message = decodeOmni(frame, device === null ? omniProfiles.standard : profileOf(device))
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      metrics.malformed.inc()
      malformed += 1
      log.debug({ reason: error.reason, address }, 'a malformed frame')
      if (malformed > gatewayLimits.maxMalformedFrames) close('garbage')
      return
    }
    heardAt = clock.now()
    if (device !== null) return onMessage(frame, message)
    early.push({ frame, message })
    if (isIdentifying) return
    isIdentifying = true
    signIn(message).catch((err: unknown) => {
      log.error({ err }, 'a device could not be looked up')
      close('error')
    })
  }

  const onData = (chunk: Buffer): void => {
    for (const frame of splitter.push(chunk)) {
      if (closedFor !== null) return
      onFrame(frame)
    }
    if (splitter.discardedBytes > gatewayLimits.maxGarbageBytes) close('garbage')
    pauseWhileBehind()
  }

  const close = (reason: CloseReason): void => {
    if (closedFor !== null) return
    closedFor = reason
    early = []
    socket.destroy()
    metrics.closed.inc({ reason })
    parts.onClosed(session, reason)
  }

  const session: OmniSession = {
    get device() {
      return device
    },
    dispatch,
    tick() {
      const nowMs = clock.now()
      if (device === null && nowMs - openedAt > gatewayLimits.signInWithinMs) return close('silent')
      if (nowMs - heardAt > gatewayLimits.idleMs) return close('idle')
      const step = expireOmniHandshake(handshake, nowMs)
      if (step.event === null) return
      handshake = step.state
      const own = command
      if (own === null) return
      inOrder(async () => {
        await commands.move({ ...own, to: 'expired', failure: commandFailures.noAnswer })
        endCommand()
      })
    },
    close,
    async settled() {
      await Promise.all(open)
      await chain
    },
  }

  socket.on('data', onData)
  socket.on('error', () => close('device'))
  socket.on('close', () => close('device'))
  return session
}

const refusals: Readonly<Record<number, 'failed' | 'key_error' | 'riding'>> = {
  [omniResult.failed]: 'failed',
  [omniResult.keyError]: 'key_error',
  [omniResult.riding]: 'riding',
}

/** A message that says nothing of the vehicle still says that it is there. */
function spokeOf(message: OmniMessage): DeviceReport {
  return { deviceId: message.deviceId, occurredAt: message.sentAt ?? null, position: null }
}

function profileOf(device: KnownDevice) {
  return device.profile === 'early' ? omniProfiles.early : omniProfiles.standard
}

/** The same family of header, from platform to device; the dialect with times gets the time. */
function answerHead(head: OmniHead, nowMs: number): OmniHead {
  const headers = { SCOR: 'SCOS', SCOS: 'SCOS', HBCR: 'HBCS', HBCS: 'HBCS', CMDR: 'CMDS', CMDS: 'CMDS' } as const
  const { vendor, deviceId } = head
  const answer = { header: headers[head.header], vendor, deviceId }
  return head.sentAt === undefined ? answer : { ...answer, sentAt: nowMs }
}
