import { useState, type ReactNode } from 'react'
import {
  exportEndpoints,
  exportFields,
  exportList,
  exportStateLabels,
  type ExportFilter,
  type ExportJob,
} from '@saddle/contract/exports/jobs.ts'
import { exportFormatLabels } from '@saddle/contract/exported.ts'
import { holdsPermission } from '@saddle/contract/permissions.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { days, many } from '#kit/list/filters/specs.tsx'
import type { FilterSpec } from '#kit/list/filters/types.ts'
import { ListPage } from '#kit/list/ListPage.tsx'
import { useList } from '#kit/list/useList.ts'
import '#kit/list/stateTabs.css'
import { usePermissions } from '#kit/session/permissions.ts'
import { exportColumns } from './columns.tsx'

const own = listOf({ list: exportList, call: exportEndpoints.listOwnExports, fields: exportFields })
const company = listOf({ list: exportList, call: exportEndpoints.listCompanyExports, fields: exportFields })
const refreshEveryMs = 3_000

/** Files that the person asked for, and for who manages people those of the company. */
export default function ExportsPage(): ReactNode {
  const { held } = usePermissions()
  const [isCompany, setCompany] = useState(false)
  const tabs = holdsPermission(held, '1404') ? (
    <nav className="state-tabs" aria-label={t('范围')}>
      {[false, true].map((value) => (
        <button
          key={String(value)}
          type="button"
          aria-current={value === isCompany ? 'page' : undefined}
          onClick={() => setCompany(value)}
        >
          {value ? t('公司的导出') : t('我的导出')}
        </button>
      ))}
    </nav>
  ) : null
  // A key each: a list keeps its filter and place to itself.
  return isCompany ? (
    <Exports key="company" of={company} tabs={tabs} empty={t('公司还没有导出')} />
  ) : (
    <Exports
      key="own"
      of={own}
      tabs={tabs}
      empty={t('还没有导出。在任意列表点“导出”，文件会出现在这里，保留 3 天。')}
    />
  )
}

const filters = (): readonly FilterSpec<ExportFilter>[] => [
  many('states', t('状态'), exportStateLabels),
  many('formats', t('格式'), exportFormatLabels),
  days(t('导出日期')),
]

interface ExportsProps {
  readonly of: typeof own
  readonly tabs: ReactNode
  readonly empty: string
}

function Exports({ of, tabs, empty }: ExportsProps): ReactNode {
  const list = useList(of, { refreshEveryMs })
  return (
    <ListPage<ExportJob, ExportFilter>
      list={list}
      title={t('导出中心')}
      filters={filters()}
      columns={exportColumns}
      above={tabs}
      empty={empty}
    />
  )
}
