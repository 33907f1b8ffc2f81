import { Counter, Gauge, Histogram, type Registry } from 'prom-client'
import type { DeviceProtocol } from '@saddle/contract/fleet/protocols.ts'

/** What the gateway counts. Labels come from fixed lists: a device must not be able to invent series. */
export function createTelemetryMetrics(registry: Registry) {
  const registers = [registry]
  const frames = new Counter({
    name: 'saddle_gateway_frames_total',
    help: 'Frames of known devices, by protocol and message',
    labelNames: ['protocol', 'message'],
    registers,
  })
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
    frames,
    countFrame: createFrameCount(frames),
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

/** Counts a frame. Finding a counter by its labels takes longer than reading a frame, so each is found once. */
function createFrameCount(frames: Counter<'protocol' | 'message'>) {
  const counters = new Map<DeviceProtocol, Map<string, Counter.Internal>>()
  return (protocol: DeviceProtocol, message: string): void => {
    const own = counters.get(protocol) ?? new Map<string, Counter.Internal>()
    let counter = own.get(message)
    if (counter === undefined) {
      counter = frames.labels(protocol, message)
      counters.set(protocol, own.set(message, counter))
    }
    counter.inc()
  }
}
