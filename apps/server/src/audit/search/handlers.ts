import {
  auditExportCutText,
  auditExportRowsMax,
  auditFields,
  auditList,
  type auditEndpoints,
} from '@saddle/contract/audit/records.ts'
import type { LogCategory } from '@saddle/contract/audit/subjects.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { Permission } from '@saddle/contract/permissions.ts'
import type { Handlers } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import { serveList, type ListRows } from '#kit/list/serveList.ts'
import type { Audit } from '../audit.ts'
import { countSubjects, namesOf, recordOf, searchOf, type FindDeps } from './find.ts'
import { fileRowOf } from './rules.ts'
import { selectNoRecords, selectRecords, type Search, type SearchRow } from './store.ts'

type SearchEndpoints = Omit<typeof auditEndpoints, 'logChains' | 'verifyLogs'>
type Deps = Omit<FindDeps, 'db'> & { readonly audit: Audit }

const categoryPermissions: Readonly<Record<LogCategory, Permission>> = {
  vehicle: '1402',
  device: '1403',
  operator: '1404',
}

/** A count would read thousands of records of each company where a page reads a few, so there is none. */
const records: ListRows<typeof auditList, Search | null, SearchRow> = {
  keys: { at: ['instant', 'whole'] },
  select: ({ params, direction, after, limit }) =>
    params === null ? selectNoRecords() : selectRecords({ ...params, direction, after, limit }),
  cursorOf: (row) => [row.at_micros, row.id],
}

export function createSearchHandlers(
  kit: Pick<Kit, 'db' | 'clock' | 'random'>,
  { audit, phoneHash }: Deps,
): Handlers<SearchEndpoints> {
  const deps: FindDeps = { db: kit.db, phoneHash }
  const log = (category: LogCategory) => {
    const list = serveList({ kit, audit }, auditList, {
      name: `${category}-log`,
      rows: records,
      prepare: (filter, call) => searchOf(deps, call, { category, filter }),
      lookUp: (rows, call) => namesOf(deps, call, rows),
      present: (row, _, names) => recordOf(row, names),
      file: {
        action: 'audit.export',
        fields: auditFields,
        cut: { rows: auditExportRowsMax, text: auditExportCutText },
        present: (row, _, names, { language }) => fileRowOf(recordOf(row, names), language),
      },
    })
    return { page: list.page, file: list.file }
  }
  const [operator, vehicle, device] = [log('operator'), log('vehicle'), log('device')]
  return {
    userLogs: operator.page,
    vehicleLogs: vehicle.page,
    deviceLogs: device.page,
    exportUserLogs: operator.file,
    exportVehicleLogs: vehicle.file,
    exportDeviceLogs: device.file,

    logSubjects: async (asked, call) => {
      if (!call.caller.permissions.has(categoryPermissions[asked.category])) throw new AppError('forbidden')
      return { suc: true, data: await countSubjects(deps, call, asked) }
    },
  }
}
