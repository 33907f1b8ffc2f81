import { withoutAbsent, type DevicePosition, type DeviceReport } from './report.ts'

type DescribedReport = Omit<DeviceReport, 'deviceId' | 'occurredAt' | 'position'> & {
  /** ISO 8601, UTC. */
  occurredAt?: string
  position: DevicePosition | null
}

/** One frame, explained for a field engineer. */
export type FrameDescription = {
  protocol: string
  message: string
  deviceId: string
  reports: DescribedReport[]
  /** What the frame says beyond its reports. */
  fields: { [name: string]: unknown }
}

export function describeReport(report: DeviceReport): DescribedReport {
  const occurredAt = report.occurredAt === null ? undefined : new Date(report.occurredAt).toISOString()
  return withoutAbsent<DescribedReport>({ ...report, deviceId: undefined, occurredAt } as DescribedReport)
}
