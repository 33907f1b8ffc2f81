import type { DevicePosition, DeviceReport } from './report.ts'

type DescribedReport = Omit<DeviceReport, 'deviceId' | 'occurredAt' | 'position'> & {
  /** ISO 8601, UTC. */
  occurredAt?: string
  position: DevicePosition | null
}

/** One frame in the words of a field engineer. */
export type FrameDescription = {
  protocol: string
  message: string
  deviceId: string
  reports: DescribedReport[]
  /** What the frame says beyond its reports. */
  fields: { [name: string]: unknown }
}

export function describeReport({ deviceId: _, occurredAt, position, ...facts }: DeviceReport): DescribedReport {
  return { ...(occurredAt === null ? {} : { occurredAt: new Date(occurredAt).toISOString() }), position, ...facts }
}
