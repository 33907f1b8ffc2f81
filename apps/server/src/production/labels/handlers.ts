import { sql } from 'kysely'
import { AppError } from '@saddle/contract/errors.ts'
import { labelsMax, labelText, type labelEndpoints } from '@saddle/contract/production/labels.ts'
import { businessDayOf } from '@saddle/contract/time.ts'
import type { Handlers } from '#kit/call.ts'
import { computed, rowOf, rowOfValues, rowsOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { tenantFilter } from '#kit/db/tenantFilter.ts'
import type { ImportDeps } from '../imports/deps.ts'
import { labelSheet } from './sheet.ts'

type Chosen = { readonly importId?: number | undefined; readonly vehicleIds?: readonly number[] | undefined }

const labelRow = rowsOf(
  rowOf('vehicle', 'v', ['number']),
  rowOf('device', 'd', ['imei']),
  rowOf('production_unit', 'u', ['serial']),
  rowOfValues({ total: computed('bigint', sql`count(*) over ()`) }),
)

const selectLabels = ({ importId, vehicleIds = [] }: Chosen, { scope, from }: { scope: Scope; from: number }) =>
  labelRow.select`
  from production_unit u join vehicle v on v.id = u.vehicle_id join device d on d.vehicle_id = u.vehicle_id
  where ${importId === undefined ? sql`u.vehicle_id = any (${vehicleIds}::bigint[])` : sql`u.import_id = ${importId}`}
    and ${tenantFilter('u', scope)}
  order by v.number offset ${from - 1} limit ${labelsMax}`

/** Labels of vehicles as sheets to print. */
export function createLabelHandlers({ kit }: Pick<ImportDeps, 'kit'>): Handlers<typeof labelEndpoints> {
  return {
    printLabels: async ({ importId, vehicleIds, sheet, address, from, skip }, { scope }) => {
      const rows = await kit.db.read(scope, (k) => selectLabels({ importId, vehicleIds }, { scope, from }).compile(k))
      const [first] = rows
      if (first === undefined) throw new AppError('labels_none')
      const labels = rows.map(({ number, imei, serial }) => ({
        code: labelText(number, address),
        title: number,
        lines: [`IMEI ${imei}`, ...(serial === null ? [] : [`SN ${serial}`])],
      }))
      const file = await labelSheet({ labels, sheet, skip })
      const name = `labels-${businessDayOf(kit.clock.now())}-${first.number}.pdf`
      const { length } = labels
      return { suc: true, data: { name, base64: file.toString('base64'), labels: length, total: first.total } }
    },
  }
}
