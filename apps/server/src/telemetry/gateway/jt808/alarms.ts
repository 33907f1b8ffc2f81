import type { DeviceAlarm, DeviceReport } from '@saddle/device-protocols/report.ts'

/**
 * Alarms whose bit stays set while their cause lasts, by the standard: when the bit is cleared, the alarm is over. The bits
 * of other alarms are set until they are confirmed, and a low battery is judged by its level.
 */
const lasting = ['power_cut', 'fall'] as const satisfies readonly DeviceAlarm[]
type Lasting = (typeof lasting)[number]

/** The alarms that were active in the terminal's previous position; null before its first position on this connection. */
export type LastingAlarms = ReadonlySet<Lasting> | null

/** Adds the end of an alarm to a position whose bit for it is cleared. */
export function withCleared(
  before: LastingAlarms,
  report: DeviceReport,
): { report: DeviceReport; lasting: NonNullable<LastingAlarms> } {
  const said = report.alarms ?? []
  const now = new Set(lasting.filter((kind) => said.includes(kind)))
  const over = lasting.filter((kind) => !now.has(kind) && (before === null || before.has(kind)))
  if (over.length === 0) return { report, lasting: now }
  return { report: { ...report, alarms: [...said, ...over.map((kind) => `${kind}_cleared`)] }, lasting: now }
}
