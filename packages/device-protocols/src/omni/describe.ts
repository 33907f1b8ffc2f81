import { describeReport, type FrameDescription } from '../description.ts'
import { decodeOmni } from './decode.ts'
import { toReport } from './to-report.ts'

/** Explains an Omni frame; what a report carries is not repeated under `fields`. */
export function describeOmni(frame: string): FrameDescription {
  const message = decodeOmni(frame)
  const report = toReport(message)
  const { deviceId, instruction, ...rest } = message
  const reported = new Set<string>(Object.keys({ ...report, ...report?.position }))
  if (typeof report?.occurredAt === 'number') reported.add('timeUtc').add('sentAt')
  if (report?.position) reported.add('located')
  const fields = Object.fromEntries(
    Object.entries(rest).filter(([name, value]) => value !== null && !reported.has(name)),
  )
  return {
    protocol: 'omni',
    message: message.instruction === 'unknown' ? message.code : instruction,
    deviceId,
    reports: report ? [describeReport(report)] : [],
    fields,
  }
}
