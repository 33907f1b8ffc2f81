import {
  encodeOmniToDevice,
  type OmniCommandBody,
  type OmniHead,
  type OmniMessage,
} from '@saddle/device-protocols/omni/codec.ts'
import { createOmniSplitter } from '@saddle/device-protocols/omni/frames.ts'
import type { OmniPlatformState } from '@saddle/device-protocols/omni/handshake.ts'
import type { DeviceReport } from '@saddle/device-protocols/report.ts'
import { write } from '../backPressure.ts'
import type { Connection } from '../connection.ts'
import { contactReport as spoke } from '../inbound.ts'

/** `stored`: whether it is in the history; `at`: when that was known, null before. */
export type Answer = { readonly stored: Promise<boolean>; at: number | null }

/** What an Omni session adds to its connection. */
export type SessionState = Connection & {
  readonly splitter: ReturnType<typeof createOmniSplitter>
  /** Of the latest frame: an answer speaks the same dialect. */
  head: OmniHead | null
  /** Frames that came while the device was looked up; null when it is not being looked up. */
  early: { readonly frame: string; readonly message: OmniMessage }[] | null
  handshake: OmniPlatformState
  /** When a command that is no lock was sent. */
  commandSentAt: number
  /** What wants an answer and was said lately, by the CRC of its frame. */
  readonly answers: Map<number, Answer>
  /** Waits for any word of the device, to know that its line is alive. */
  probe: { readonly until: number; readonly settle: (isAlive: boolean) => void } | null
  /** The one before: its key may still come, too late. */
  endedCommandId: number | null
}

export function createState(connection: Connection): SessionState {
  const own = {
    head: null,
    early: null,
    handshake: { phase: 'idle' },
    probe: null,
    endedCommandId: null,
    commandSentAt: 0,
  } as const
  return Object.assign(connection, { splitter: createOmniSplitter(), answers: new Map<number, Answer>(), ...own })
}

export function send(session: SessionState, bodies: readonly OmniCommandBody[]): void {
  const { head } = session
  if (head === null) return
  const answer = answerHead(head, session.parts.kit.clock.now())
  for (const body of bodies) write(session, encodeOmniToDevice({ ...answer, ...body }))
}

/** The same family of header, from platform to device; the dialect with times gets the time. */
function answerHead(head: OmniHead, nowMs: number): OmniHead {
  const headers = { SCOR: 'SCOS', SCOS: 'SCOS', HBCR: 'HBCS', HBCS: 'HBCS', CMDR: 'CMDS', CMDS: 'CMDS' } as const
  const answer = { header: headers[head.header], vendor: head.vendor, deviceId: head.deviceId }
  return head.sentAt === undefined ? answer : { ...answer, sentAt: nowMs }
}

/** A message that says nothing of the vehicle still says that it is there. */
export function contactReport(message: OmniMessage): DeviceReport {
  return spoke(message.deviceId, message.sentAt ?? null)
}
