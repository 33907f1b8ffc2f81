import type { DeviceAlarm, DeviceReport } from '@saddle/device-protocols/report.ts'

/**
 * Alarms whose bit the standard keeps set until the reason has gone: where it is missing, the matter is over. The bits
 * of the others are set once, until somebody has taken notice, and a low battery is judged by its level.
 */
const lasting = ['power_cut', 'fall'] as const satisfies readonly DeviceAlarm[]
type Lasting = (typeof lasting)[number]

/** What lasted when the terminal spoke last; null before its first position on this connection. */
export type LastingAlarms = ReadonlySet<Lasting> | null

/** Adds to a position the word that an alarm is over, when its bit is set no more. */
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
