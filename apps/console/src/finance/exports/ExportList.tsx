import type { ReactNode } from 'react'
import { exportFields, exportStateLabels, type ExportJob } from '@saddle/contract/exports/jobs.ts'
import {
  financeExportEndpoints,
  financeExportLabels,
  financeExportList,
  type FinanceExportFilter,
} from '@saddle/contract/finance/exports.ts'
import { exportColumns } from '#exports/public.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { days, many } from '#kit/list/filters/specs.tsx'
import { ListCard } from '#kit/list/ListCard.tsx'
import { useList } from '#kit/list/useList.ts'

const files = listOf({
  list: financeExportList,
  call: financeExportEndpoints.listFinanceExports,
  fields: exportFields,
})

/** Files that were taken out of the finance pages: a view of the export centre. */
export function ExportList(): ReactNode {
  const list = useList(files, { isInside: true })
  return (
    <ListCard<ExportJob, FinanceExportFilter>
      list={list}
      label={t('导出记录')}
      filters={[
        many('actions', t('内容'), financeExportLabels),
        many('states', t('状态'), exportStateLabels),
        days(t('导出日期')),
      ]}
      columns={exportColumns}
      empty={t('还没有导出')}
    />
  )
}
