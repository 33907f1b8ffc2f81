import type { ReactNode } from 'react'
import {
  financeExportEndpoints,
  financeExportFields,
  financeExportLabels,
  financeExportList,
  type FinanceExport,
  type FinanceExportFilter,
} from '@saddle/contract/finance/exports.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { days, many } from '#kit/list/filters/specs.tsx'
import { ListCard } from '#kit/list/ListCard.tsx'
import { useList } from '#kit/list/useList.ts'

const files = listOf({
  list: financeExportList,
  call: financeExportEndpoints.listFinanceExports,
  fields: financeExportFields,
})

/** Files that were taken out of the finance pages. */
export function ExportList(): ReactNode {
  const list = useList(files, { isInside: true })
  return (
    <ListCard<FinanceExport, FinanceExportFilter>
      list={list}
      label={t('导出记录')}
      filters={[many('actions', t('内容'), financeExportLabels), days(t('导出日期'))]}
      columns={() => ['at', { key: 'action', card: 'head' }, 'operatorName', 'company', 'exportId']}
      empty={t('还没有导出')}
    />
  )
}
