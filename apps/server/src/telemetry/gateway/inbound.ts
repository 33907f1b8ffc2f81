import { crc32 } from 'node:zlib'
import type { DeviceReport, ReportReading } from '@saddle/device-protocols/report.ts'
import { canBeAt } from '../reports/motion.ts'
import { sanitizeReport, type SanitizedReport } from '../reports/rules.ts'
import { TakenReport } from '../reports/standing.ts'
import { pauseWhileBehind } from './backPressure.ts'
import { failConnection, type Connection } from './connection.ts'
import type { Device } from './devices.ts'

/** What a device sent, on its way to the report writer. */
export type SubmittedReport = {
  /** CRC-32 of the frame's bytes: two reports of one device with the same time and bytes are the same report. */
  readonly frameCrc: number
  /** It is read at once: it may say something else afterwards. */
  readonly report: ReportReading
  readonly kind: string
  readonly commanded?: boolean
  /** It goes into the history even when it says nothing new: a repeat of it is looked for there. */
  readonly isKept?: boolean
  /** Distinguishes several reports of one frame. */
  readonly part?: number
  /** Told to who waits for it, so that one can wait for many: the number of the message that it came in. */
  readonly messageId?: number
}

/** The same with the frame itself. */
export type InboundReport = Omit<SubmittedReport, 'frameCrc' | 'messageId' | 'report'> & {
  readonly frame: string | Uint8Array
  readonly report: DeviceReport
}

export type Answering = {
  /** Called once: with null after the commit of the report, else with the reason why it cannot be stored. */
  settled(failure: unknown, messageId: number): void
}

/**
 * Gives a report to the writer, which settles it with null after its commit, or at once when what it says is stored already; with
 * the reason when it could not be stored.
 */
export function submit(connection: Connection, inbound: SubmittedReport, waiting: Answering): void {
  const { device, deps } = connection
  const { kind, part = 0, commanded = false, isKept = false, messageId = 0 } = inbound
  if (device === null) return waiting.settled(new Error('the device has not signed in'), messageId)
  const report = withPlausiblePosition(connection, device, sanitizeReport(inbound.report, connection.heardAt))
  const frameCrc = (inbound.frameCrc + part) | 0
  // A report without a time of its own is stored under that of its arrival, so a repeat cannot be recognised.
  const isRepeat = inbound.report.occurredAt !== null && device.recent.isRepeat(report.occurredAt, frameCrc)
  const said = { vehicleId: device.vehicleId, kind, frameCrc, commanded, isRepeat, report }
  const row = new Submitted(said, { connection, device, waiting, messageId })
  // What comes while a command or an upgrade is under way may be what somebody waits for.
  const isAwaited = isKept || connection.command !== null || connection.upgrade !== null
  return deps.standing.take(device.standing, row, isAwaited ? awaited : notAwaited)
}
const awaited = { isAwaited: true }
const notAwaited = { isAwaited: false }

type Origin = {
  readonly connection: Connection
  readonly device: Device
  readonly waiting: Answering
  readonly messageId: number
}

/** A report of a connection until it is settled. */
class Submitted extends TakenReport {
  readonly #connection: Connection
  readonly #device: Device
  readonly #waiting: Answering
  readonly #messageId: number

  constructor(said: ConstructorParameters<typeof TakenReport>[0], origin: Origin) {
    super(said)
    const { connection } = origin
    this.#connection = connection
    this.#device = origin.device
    this.#waiting = origin.waiting
    this.#messageId = origin.messageId
    connection.pendingReports += 1
    connection.deps.tallies[connection.protocol].waiting += 1
  }

  override settled(failure: unknown): void {
    super.settled(failure)
    const connection = this.#connection
    const tally = connection.deps.tallies[connection.protocol]
    // The writer has logged and counted it. A device that gets no answer sends the report again.
    if (failure !== null) this.#device.recent.forget(this.report.occurredAt, this.frameCrc)
    else tally.reports += 1
    connection.pendingReports -= 1
    tally.waiting -= 1
    // Called by the writer, which goes on with the reports of other connections.
    try {
      this.#waiting.settled(failure, this.#messageId)
    } catch (err) {
      failConnection(connection, err)
    }
    if (connection.pendingReports === 0 && connection.onIdle.length > 0)
      for (const wake of connection.onIdle.splice(0)) wake()
    if (connection.socket.isPaused()) pauseWhileBehind(connection)
  }
}

/** Marks a position that the vehicle cannot have reached as no fix. The history keeps it, the vehicle does not move. */
function withPlausiblePosition(connection: Connection, device: Device, report: SanitizedReport): SanitizedReport {
  const { position } = report
  const { metrics } = connection.deps
  let checked = report
  if (position !== null && position.fix) {
    const at = Math.min(report.occurredAt, report.receivedAt)
    if (!canBeAt(device.motion, position, at)) {
      checked = { ...report, position: { ...position, fix: false }, faults: [...report.faults, 'jump'] }
    }
  }
  if (checked.faults.length > 0) for (const fault of checked.faults) metrics.faults.inc({ fault })
  return checked
}

/** Gives a report to the writer. Resolves to true after its commit, to false when it could not be stored. */
export function store(connection: Connection, inbound: InboundReport): Promise<boolean> {
  const submitted = { ...inbound, frameCrc: crc32(inbound.frame) }
  return new Promise((resolve) => submit(connection, submitted, { settled: (failure) => resolve(failure === null) }))
}

/** Resolves when all that was read is stored and answered. */
export async function settled(connection: Connection): Promise<void> {
  if (connection.pendingReports > 0) await new Promise<void>((resolve) => connection.onIdle.push(resolve))
  await connection.chain
}

/** The report of a message that carries no facts about the vehicle: it proves that the vehicle is in contact. */
export function contactReport(deviceId: string, occurredAt: number | null = null): DeviceReport {
  return { deviceId, occurredAt, position: null }
}
