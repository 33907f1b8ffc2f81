import { auditExportPartRows, auditExportRowsMax, type auditEndpoints } from '@saddle/contract/audit/lines.ts'
import type { AuditBook } from '@saddle/contract/audit/words.ts'
import type { InputOf } from '@saddle/contract/endpoint.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { Permission } from '@saddle/contract/permissions.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import { businessTime, csvLine, csvPart } from '#kit/csv.ts'
import type { Kit } from '#kit/kit.ts'
import { randomUuid } from '#kit/random.ts'
import type { Audit } from '../audit.ts'
import { findLines, type FindParts } from './find.ts'
import { csvRow, csvTitles, readPlace, writePlace } from './rules.ts'

type SearchEndpoints = Pick<typeof auditEndpoints, 'userLogs' | 'vehicleLogs' | 'deviceLogs' | 'exportLogs'>

/** Who may read a log as a page may take it out as a file. */
const bookPermissions: Readonly<Record<AuditBook, Permission>> = { vehicle: '1402', device: '1403', operator: '1404' }

export function createSearchHandlers(
  kit: Pick<Kit, 'db' | 'clock' | 'random'>,
  parts: Omit<FindParts, 'db'> & { readonly audit: Audit },
): Handlers<SearchEndpoints> {
  const finding: FindParts = { db: kit.db, phoneHash: parts.phoneHash }
  const pageOf =
    (book: AuditBook) =>
    async ({ filter, cursor, pageSize }: InputOf<typeof auditEndpoints.userLogs>, call: SessionCall) => {
      const after = cursor === undefined ? null : readPlace(cursor)
      const { next, ...found } = await findLines(finding, call, { book, filter, after, limit: pageSize })
      return {
        suc: true as const,
        data: { ...found, nextCursor: next === null ? null : writePlace({ ...next, rows: 0 }) },
      }
    }
  return {
    userLogs: pageOf('operator'),
    vehicleLogs: pageOf('vehicle'),
    deviceLogs: pageOf('device'),

    exportLogs: async ({ book, filter, cursor, exportId: given }, call) => {
      if (!call.caller.permissions.has(bookPermissions[book])) throw new AppError('forbidden')
      const after = cursor === undefined ? null : readPlace(cursor)
      const exportId = given ?? randomUuid(kit.random)
      const nowMs = kit.clock.now()
      const { list, names, next } = await findLines(finding, call, { book, filter, after, limit: auditExportPartRows })
      const file = { exportId, action: 'audit.export', detail: { book, filter }, isFirst: after === null }
      await parts.audit.noteExport(call, file)
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
          fileName: `${book}-log-${day}-${exportId.slice(0, 8)}.csv`,
          text: csvPart({ origin, titles: csvTitles, isFirst: after === null, lines }) + end,
          rows: list.length,
          nextCursor: next === null || isCut ? null : writePlace({ ...next, rows }),
        },
      }
    },
  }
}
