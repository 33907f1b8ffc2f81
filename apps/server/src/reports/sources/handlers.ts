import { AppError } from '@saddle/contract/errors.ts'
import type { MetricSource } from '@saddle/contract/reports/measures.ts'
import { reports } from '@saddle/contract/reports/reports.ts'
import {
  sourceOfPart,
  sourceRowFields,
  sourceRowList,
  unitOfPart,
  type sourceRowEndpoints,
  type SourceRowFilter,
} from '@saddle/contract/reports/sources.ts'
import type { Audit } from '#audit/public.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import { chosenFile } from '#kit/list/listFile.ts'
import { serveList } from '#kit/list/serveList.ts'
import { orderNumber } from '#riding/public.ts'
import { answeredMetrics } from '../figures/rules.ts'
import { hasPart, isKeyOf, sourceBuckets, spansOfSum } from './rules.ts'
import { fleetSource, moneySource, presentSource, rideSource, type SourceRowOf } from './store.ts'

type Deps = { readonly kit: Pick<Kit, 'db' | 'clock' | 'random'>; readonly audit: Audit }

/** The question names a figure that the report has and can tell, and the caller may read the report. */
function check(filter: SourceRowFilter, { caller }: SessionCall): void {
  if (!caller.permissions.has(reports[filter.report].permission)) throw new AppError('forbidden')
  const isKnown = answeredMetrics(filter).includes(filter.metric) && hasPart(filter) && isKeyOf(filter)
  if (!isKnown) throw new AppError('bad_request', { values: { detail: 'metric' } })
}

function present(row: SourceRowOf) {
  const { placedAt, ...shown } = presentSource(row)
  const { orderId } = shown
  return {
    ...shown,
    orderNumber: orderId === null || placedAt === null ? null : orderNumber({ id: orderId, placedAt }),
  }
}

/** The rows behind figures of reports: what a figure says is their sum. */
export function createSourceHandlers(deps: Deps): Handlers<typeof sourceRowEndpoints> {
  const served = (source: Exclude<MetricSource, 'supply'>) =>
    serveList(deps, sourceRowList, {
      name: `report-${source}`,
      isSummedWhole: true,
      rows: { rides: rideSource, money: moneySource, fleet: fleetSource }[source],
      prepare: (filter, call) => {
        check(filter, call)
        return sourceBuckets(filter, call.scope)
      },
      present,
      file: {
        action: 'report.export_rows',
        fields: sourceRowFields,
        present: (row, _call, _found, { filter: { metric, part } }) => {
          const { value, ...shown } = present(row)
          return { ...shown, value: unitOfPart(metric, part) === 'cents' ? value / 100 : value }
        },
      },
    })
  const lists = { rides: served('rides'), money: served('money'), fleet: served('fleet') }
  const of = ({ metric, part }: SourceRowFilter) => {
    const source = sourceOfPart(metric, part)
    // No report has figures of vehicle-hours: `check` refuses them.
    return lists[source === null || source === 'supply' ? 'rides' : source]
  }
  return {
    listSourceRows: (question, call) => of(question.filter).page(question, call),
    sumSourceRows: async ({ filter }, call) => {
      check(filter, call)
      const all = { rows: 0, value: 0 }
      for (const span of spansOfSum(filter)) {
        const { data } = await of(filter).sums({ filter: { ...filter, ...span } }, call)
        all.rows += data.rows
        all.value += data.sums?.value ?? 0
      }
      return { suc: true, data: { rows: all.rows, isCut: false, sums: { value: all.value } } }
    },
    exportSourceRows: chosenFile(lists.rides.file, ({ filter }) => of(filter).file),
  }
}
