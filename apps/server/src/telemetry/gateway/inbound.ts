import { crc32 } from 'node:zlib'
import type { DeviceReport } from '@saddle/device-protocols/report.ts'
import type { Waiting } from '../reports/batches.ts'
import { canBeAt } from '../reports/motion.ts'
import { sanitizeReport, type SanitizedReport } from '../reports/rules.ts'
import type { AcceptedReport } from '../reports/store.ts'
import { pauseWhileBehind } from './backPressure.ts'
import { failConnection, type Connection } from './connection.ts'
import type { Device } from './devices.ts'

/** What a device sent, on its way to the report writer. */
export type InboundReport = {
  /** The frame's bytes: two reports of one device with the same time and bytes are the same report. */
  readonly frame: string | Uint8Array
  readonly report: DeviceReport
  readonly kind: string
  readonly commanded?: boolean
  /** It goes into the history even when it says nothing new: a repeat of it is looked for there. */
  readonly isKept?: boolean
  /** Distinguishes several reports of one frame. */
  readonly part?: number
}

/**
 * Gives a report to the writer, which settles it with null after its commit, or at once when what it says is stored already; with
 * the reason when it could not be stored.
 */
export function submit(connection: Connection, inbound: InboundReport, waiting: Waiting): void {
  const { device, deps } = connection
  if (device === null) return waiting.settled(new Error('the device has not signed in'))
  const report = withPlausiblePosition(connection, device, sanitizeReport(inbound.report, connection.heardAt))
  const row = new Submitted({ connection, device, inbound, report, waiting })
  // What comes while a command or an upgrade is under way may be what somebody waits for.
  const isAwaited = inbound.isKept === true || connection.command !== null || connection.upgrade !== null
  return deps.standing.take(device.standing, row, { isAwaited, waiting: row })
}

/** A report of a connection until it is settled. A class for the same reason as `UnderWay` of the standing reports. */
class Submitted implements AcceptedReport, Waiting {
  readonly vehicleId: number
  readonly kind: string
  readonly frameCrc: number
  readonly commanded: boolean
  readonly isRepeat: boolean
  readonly report: SanitizedReport
  readonly unchanged = 0
  readonly #connection: Connection
  readonly #device: Device
  readonly #waiting: Waiting

  constructor(options: {
    connection: Connection
    device: Device
    inbound: InboundReport
    report: SanitizedReport
    waiting: Waiting
  }) {
    const { connection, device, inbound, report, waiting } = options
    this.vehicleId = device.vehicleId
    this.kind = inbound.kind
    this.frameCrc = (crc32(inbound.frame) + (inbound.part ?? 0)) | 0
    this.commanded = inbound.commanded ?? false
    // A report without a time of its own is stored under that of its arrival, so a repeat cannot be recognised.
    this.isRepeat = inbound.report.occurredAt !== null && device.recent.isRepeat(report.occurredAt, this.frameCrc)
    this.report = report
    this.#connection = connection
    this.#device = device
    this.#waiting = waiting
    connection.pendingReports += 1
    connection.deps.tallies[connection.protocol].waiting += 1
  }

  settled(failure: unknown): void {
    const connection = this.#connection
    const tally = connection.deps.tallies[connection.protocol]
    // The writer has logged and counted it. A device that gets no answer sends the report again.
    if (failure !== null) this.#device.recent.forget(this.report.occurredAt, this.frameCrc)
    else tally.reports += 1
    connection.pendingReports -= 1
    tally.waiting -= 1
    // Called by the writer, which goes on with the reports of other connections.
    try {
      this.#waiting.settled(failure)
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
    if (!canBeAt(device.motion, { lat: position.lat, lng: position.lng, at })) {
      checked = { ...report, position: { ...position, fix: false }, faults: [...report.faults, 'jump'] }
    }
  }
  for (const fault of checked.faults) metrics.faults.inc({ fault })
  return checked
}

/** Gives a report to the writer. Resolves to true after its commit, to false when it could not be stored. */
export function store(connection: Connection, inbound: InboundReport): Promise<boolean> {
  return new Promise((resolve) => submit(connection, inbound, { settled: (failure) => resolve(failure === null) }))
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
