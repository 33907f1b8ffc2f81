import type { ReactNode } from 'react'
import { meterLabels, metersOf, type MeterGroup } from '@saddle/contract/finance/meters.ts'
import type { BillLine, BillLineFilter } from '@saddle/contract/finance/serviceBills.ts'
import { t } from '#kit/i18n/index.ts'
import { areas, keyword, many } from '#kit/list/filters/specs.tsx'
import { ListPage } from '#kit/list/ListPage.tsx'
import { useList } from '#kit/list/useList.ts'
import { ButtonLink } from '#kit/plain/Button.tsx'
import { lineColumns } from './lineColumns.tsx'
import { LinePanel } from './LinePanel.tsx'
import { serviceLines, usageLines } from './lists.ts'
import { billsPath } from './words.ts'

/** Lines of bills of one group; each opens its days and what was counted on them. */
export function LinesPage({ group, title }: { readonly group: MeterGroup; readonly title: string }): ReactNode {
  const list = useList(group === 'usage' ? usageLines : serviceLines, { fixed: { group } })
  const labels = Object.fromEntries(metersOf[group].map((meter) => [meter, meterLabels[meter]]))
  return (
    <ListPage<BillLine, BillLineFilter>
      list={list}
      title={title}
      actions={<ButtonLink to={billsPath}>{t('返回账单明细')}</ButtonLink>}
      filters={[
        keyword(t('账单编号'), 'number'),
        keyword(t('账期，如 2026-10'), 'month'),
        ...(metersOf[group].length > 1 ? [many<BillLineFilter>('meters', t('计量项'), labels)] : []),
        areas('areaIds'),
      ]}
      columns={lineColumns}
      rowName={({ meter }) => t(meterLabels[meter])}
      empty={t('没有这样的明细')}
      renderPanel={(row) => <LinePanel key={row.id} line={row} />}
    />
  )
}
