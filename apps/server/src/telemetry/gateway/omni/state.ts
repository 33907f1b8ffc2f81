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

/** `stored`: whether the report is in the history; `at`: when that became known, null before. */
export type Answer = { readonly stored: Promise<boolean>; at: number | null }

/** What an Omni session adds to its connection. */
export type SessionState = Connection & {
  readonly splitter: ReturnType<typeof createOmniSplitter>
  /** The header of the latest frame: answers use the same dialect. */
  head: OmniHead | null
  /** Frames that arrived while the device is looked up; null otherwise. */
  early: { readonly frame: string; readonly message: OmniMessage }[] | null
  handshake: OmniPlatformState
  /** When a command other than lock or unlock was sent. */
  commandSentAt: number
  /** Recent messages that need an answer, by the CRC of their frame. */
  readonly answers: Map<number, Answer>
  /** Waits for any message of the device, as proof that the connection is alive. */
  probe: { readonly until: number; readonly settle: (isAlive: boolean) => void } | null
  /** The device was asked for its firmware on this connection. */
  hasAskedVersion: boolean
  /** The command before this one: its key may still arrive too late. */
  endedCommandId: number | null
}

export function createState(connection: Connection): SessionState {
  const own = {
    head: null,
    early: null,
    handshake: { phase: 'idle' },
    probe: null,
    endedCommandId: null,
    hasAskedVersion: false,
    commandSentAt: 0,
  } as const
  return Object.assign(connection, { splitter: createOmniSplitter(), answers: new Map<number, Answer>(), ...own })
}

export function send(session: SessionState, bodies: readonly OmniCommandBody[]): void {
  const { head } = session
  if (head === null) return
  const answer = answerHead(head, session.deps.kit.clock.now())
  for (const body of bodies) write(session, encodeOmniToDevice({ ...answer, ...body }))
}

/** The header family of the request, from platform to device; the dialect with timestamps gets the time. */
function answerHead(head: OmniHead, nowMs: number): OmniHead {
  const headers = { SCOR: 'SCOS', SCOS: 'SCOS', HBCR: 'HBCS', HBCS: 'HBCS', CMDR: 'CMDS', CMDS: 'CMDS' } as const
  const answer = { header: headers[head.header], vendor: head.vendor, deviceId: head.deviceId }
  return head.sentAt === undefined ? answer : { ...answer, sentAt: nowMs }
}

/** The contact report of an Omni message. */
export function contactReport(message: OmniMessage): DeviceReport {
  return spoke(message.deviceId, message.sentAt ?? null)
}
