import type { DeviceReport } from '../report.ts'
import type { MqttMessage } from './messages.ts'

/** What the name of an event says by itself. */
const eventFacts: { [event: string]: Partial<DeviceReport> } = {
  locked: { locked: true },
  unlocked: { locked: false },
  charging_started: { charging: true },
  charging_stopped: { charging: false },
}

/**
 * What a message says about the vehicle, in the words of every protocol: the reports of a payload in its order, that
 * of an event, or nothing. Values are passed on as the device sent them: to refuse what cannot be is the receiver's rule.
 */
export function toReports(message: MqttMessage): DeviceReport[] {
  if (message.message === 'report') return message.reports.map(({ report }) => report)
  if (message.message !== 'event') return []
  const facts = Object.hasOwn(eventFacts, message.event) ? eventFacts[message.event] : undefined
  return [{ ...facts, ...message.report }]
}
