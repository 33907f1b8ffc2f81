import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { emptyText } from '@saddle/contract/constants.ts'
import type { NamedWork, WorkNarrow, WorkPage } from '@saddle/contract/operations/statistics.ts'
import { money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DataTable, type Column, type Sort } from '#kit/list/DataTable.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { saveShown } from '../parts/saveShown.ts'
import type { Figures } from './figures.ts'

interface Props {
  readonly page: WorkPage
  readonly figures: Figures
  /** The same page, narrowed. */
  readonly link: (more: Partial<WorkNarrow>) => string
}

/** Who did it, and where. */
export function WorkGroups({ page, figures, link }: Props): ReactNode {
  return (
    <>
      <Group page={page} title={t('按人员')} rows={figures.persons} to={({ name }) => link({ persons: [name] })} />
      <Group
        page={page}
        title={t('按服务区')}
        rows={figures.areas}
        to={({ areaId }) => link(areaId === null ? {} : { areaIds: [areaId] })}
      />
    </>
  )
}

/** Null: there is nothing to divide by. */
type Value = (row: NamedWork) => number | null
interface NumberColumn extends Column<NamedWork> {
  readonly value: Value
}

function number(
  key: string,
  title: string,
  value: Value,
  format: { digits?: number; unit?: string } = {},
): NumberColumn {
  const { digits = 0, unit } = format
  return {
    key,
    title,
    value,
    numeric: true,
    sortable: true,
    ...(unit !== undefined && { unit }),
    render: (row) => value(row)?.toFixed(digits) ?? emptyText,
  }
}

const ratio = (some: number, all: number): number | null => (all === 0 ? null : some / all)
const percent = (some: number, all: number): number | null => (all === 0 ? null : (100 * some) / all)

function columnsOf(page: WorkPage): readonly NumberColumn[] {
  return [
    number('done', t('完成'), (row) => row.done),
    number('perDay', t('每人每天'), (row) => ratio(row.done, row.personDays), { digits: 1 }),
    number('perHour', t('每小时完成'), (row) => ratio(row.done, row.workSeconds / 3_600), { digits: 1 }),
    number('wait', t('平均等待'), (row) => ratio(row.waitSeconds / 60, row.done), { unit: t('分钟') }),
    number('work', t('平均作业'), (row) => ratio(row.workSeconds / 60, row.done), { unit: t('分钟') }),
    number('onTime', t('按时完成率'), (row) => percent(row.onTime, row.due), { digits: 1, unit: '%' }),
    ...(page === 'swap'
      ? [
          number('gain', t('每次补充电量'), (row) => ratio(row.batteryAfter - row.batteryBefore, row.measured), {
            digits: 1,
            unit: '%',
          }),
        ]
      : []),
    ...(page === 'inspection' || page === 'move'
      ? [number('photo', t('有照片'), (row) => percent(row.withPhoto, row.done), { digits: 1, unit: '%' })]
      : []),
    number('rejected', t('未通过'), (row) => row.rejected),
    ...(page === 'repair'
      ? [{ ...number('parts', t('配件费用'), (row) => row.partsCents / 100, { unit: t('元') }) }]
      : []),
    {
      ...number('pay', t('报酬'), (row) => row.payCents / 100, { unit: t('元') }),
      render: (row) => money(row.payCents),
    },
  ]
}

const rounded = (value: number | null): number | string => (value === null ? '' : Math.round(value * 100) / 100)

interface GroupProps {
  readonly page: WorkPage
  readonly title: string
  readonly rows: readonly NamedWork[]
  readonly to: (row: NamedWork) => string
}

function Group({ page, title, rows, to }: GroupProps) {
  const [sort, setSort] = useState<Sort>({ by: 'done', direction: 'desc' })
  if (rows.length === 0) return null
  const numbers = columnsOf(page)
  const by = numbers.find(({ key }) => key === sort.by)
  const way = sort.direction === 'asc' ? 1 : -1
  const sorted = rows.toSorted((a, b) => way * ((by?.value(a) ?? -1) - (by?.value(b) ?? -1)))
  const head = (row: NamedWork) => <Link to={to(row)}>{row.name}</Link>
  const save = () =>
    saveShown({
      fileName: `${page}-${title}.csv`,
      titles: [t('名称'), ...numbers.map(({ title: name, unit }) => (unit === undefined ? name : `${name} (${unit})`))],
      rows: sorted.map((row) => [row.name, ...numbers.map(({ value }) => rounded(value(row)))]),
    })
  return (
    <section className="page-card">
      <header className="work-head">
        <h2>{title}</h2>
        <Button onClick={save}>{t('导出')}</Button>
      </header>
      <DataTable<NamedWork>
        label={title}
        columns={[{ key: 'name', title: t('名称'), inHead: true, render: head }, ...numbers]}
        rows={sorted}
        rowKey={(row) => `${row.areaId ?? ''} ${row.name}`}
        sort={sort}
        onSort={setSort}
        cardHead={head}
      />
    </section>
  )
}
