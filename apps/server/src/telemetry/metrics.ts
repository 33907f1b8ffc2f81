import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import { byProtocol, deviceProtocols, type DeviceProtocol } from '@saddle/contract/fleet/protocols.ts'

/** What the gateway counts. Labels come from fixed lists: a device must not be able to invent series. */
export function createTelemetryMetrics(registry: Registry) {
  const registers = [registry]
  const frames = createFrameCounter(registers)
  return {
    connections: new Gauge({ name: 'saddle_gateway_connections', help: 'Open device connections', registers }),
    brokerConnected: new Gauge({
      name: 'saddle_gateway_broker_connected',
      help: '1 while the outside MQTT broker is connected',
      registers,
    }),
    closed: new Counter({
      name: 'saddle_gateway_closed_total',
      help: 'Device connections closed, by protocol and reason',
      labelNames: ['protocol', 'reason'],
      registers,
    }),
    frames: frames.counter,
    countFrame: frames.count,
    refused: new Counter({
      name: 'saddle_gateway_refused_total',
      help: 'Connections cut before a word was read, by protocol and reason',
      labelNames: ['protocol', 'reason'],
      registers,
    }),
    malformed: new Counter({
      name: 'saddle_gateway_malformed_total',
      help: 'Frames that break their protocol, by protocol and fault',
      labelNames: ['protocol', 'fault'],
      registers,
    }),
    unknown: new Counter({
      name: 'saddle_gateway_unknown_device_total',
      help: 'Sign-ins of devices that were turned away and are held for review, by reason',
      labelNames: ['reason'],
      registers,
    }),
    addressChanges: new Counter({
      name: 'saddle_gateway_address_changes_total',
      help: 'Vehicles without a secret that called from another network, by outcome',
      labelNames: ['outcome'],
      registers,
    }),
    wills: new Counter({
      name: 'saddle_gateway_wills_total',
      help: 'MQTT connections that broke and had left a will',
      registers,
    }),
    faults: new Counter({
      name: 'saddle_report_faults_total',
      help: 'Values of reports that cannot be and were left out',
      labelNames: ['fault'],
      registers,
    }),
    unchanged: new Counter({
      name: 'saddle_reports_unchanged_total',
      help: 'Reports that said what was stored already and were not written',
      registers,
    }),
    stored: new Counter({ name: 'saddle_reports_stored_total', help: 'Reports added to the history', registers }),
    repeated: new Counter({
      name: 'saddle_reports_repeated_total',
      help: 'Reports that came again and changed nothing',
      registers,
    }),
    dropped: new Counter({
      name: 'saddle_reports_dropped_total',
      help: 'Reports that the database refused',
      registers,
    }),
    batch: new Histogram({
      name: 'saddle_report_batch_rows',
      help: 'Reports written in one transaction',
      buckets: [1, 5, 20, 100, 500, 2_000, 5_000, 10_000],
      registers,
    }),
  }
}
export type TelemetryMetrics = ReturnType<typeof createTelemetryMetrics>

/** Counts frames in plain numbers, which the counter takes over when it is read: `inc` takes as long as the rest of a frame's way. */
function createFrameCounter(registers: Registry[]) {
  const counts = byProtocol(() => new Map<string, { uncounted: number }>())
  const counter = new Counter({
    name: 'saddle_gateway_frames_total',
    help: 'Frames of known devices, by protocol and message',
    labelNames: ['protocol', 'message'],
    registers,
    collect() {
      for (const protocol of deviceProtocols) {
        for (const [message, count] of counts[protocol]) {
          this.inc({ protocol, message }, count.uncounted)
          count.uncounted = 0
        }
      }
    },
  })
  return {
    counter,
    count(protocol: DeviceProtocol, message: string): void {
      const count = counts[protocol].get(message)
      if (count === undefined) counts[protocol].set(message, { uncounted: 1 })
      else count.uncounted += 1
    },
  }
}
