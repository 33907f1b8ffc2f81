import { auditExportPartRows, auditExportRowsMax, type auditEndpoints } from '@saddle/contract/audit/records.ts'
import type { LogCategory } from '@saddle/contract/audit/words.ts'
import type { InputOf } from '@saddle/contract/endpoint.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { Permission } from '@saddle/contract/permissions.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import { businessTime, csvLine, csvPart } from '#kit/csv.ts'
import type { Kit } from '#kit/kit.ts'
import { randomUuid } from '#kit/random.ts'
import type { Audit } from '../audit.ts'
import { findRecords, type FindDeps } from './find.ts'
import { csvRow, csvTitles, decodeCursor, encodeCursor } from './rules.ts'

type SearchEndpoints = Pick<typeof auditEndpoints, 'userLogs' | 'vehicleLogs' | 'deviceLogs' | 'exportLogs'>

/** The permission to read a log also allows exporting it. */
const categoryPermissions: Readonly<Record<LogCategory, Permission>> = {
  vehicle: '1402',
  device: '1403',
  operator: '1404',
}

export function createSearchHandlers(
  kit: Pick<Kit, 'db' | 'clock' | 'random'>,
  deps: Omit<FindDeps, 'db'> & { readonly audit: Audit },
): Handlers<SearchEndpoints> {
  const finding: FindDeps = { db: kit.db, phoneHash: deps.phoneHash }
  const pageOf =
    (category: LogCategory) =>
    async ({ filter, cursor, pageSize }: InputOf<typeof auditEndpoints.userLogs>, call: SessionCall) => {
      const after = cursor === undefined ? null : decodeCursor(cursor)
      const { next, ...found } = await findRecords(finding, call, { category, filter, after, limit: pageSize })
      return {
        suc: true as const,
        data: { ...found, nextCursor: next === null ? null : encodeCursor({ ...next, rows: 0 }) },
      }
    }
  return {
    userLogs: pageOf('operator'),
    vehicleLogs: pageOf('vehicle'),
    deviceLogs: pageOf('device'),

    exportLogs: async ({ category, filter, cursor, exportId: given }, call) => {
      if (!call.caller.permissions.has(categoryPermissions[category])) throw new AppError('forbidden')
      const after = cursor === undefined ? null : decodeCursor(cursor)
      const exportId = given ?? randomUuid(kit.random)
      const nowMs = kit.clock.now()
      const { list, names, next } = await findRecords(finding, call, {
        category,
        filter,
        after,
        limit: auditExportPartRows,
      })
      const file = { exportId, action: 'audit.export', detail: { category, filter }, isFirst: after === null }
      await deps.audit.noteExport(call, file)
      const origin = { exportId, operatorName: call.caller.name }
      const lines = list.map((line) => csvRow(line, names))
      const rows = (after?.rows ?? 0) + list.length
      const isCut = next !== null && rows >= auditExportRowsMax
      const end = isCut ? csvLine([`已达一次导出的上限 ${auditExportRowsMax} 行，请缩小条件后再导出其余`]) : ''
      const day = businessTime(nowMs).slice(0, 10)
      return {
        suc: true,
        data: {
          exportId,
          fileName: `${category}-log-${day}-${exportId.slice(0, 8)}.csv`,
          text: csvPart({ origin, titles: csvTitles, isFirst: after === null, lines }) + end,
          rows: list.length,
          nextCursor: next === null || isCut ? null : encodeCursor({ ...next, rows }),
        },
      }
    },
  }
}
