import { useState, type ReactNode } from 'react'
import type { z } from 'zod'
import { reviewEndpoints } from '@saddle/contract/organisation/review.ts'
import { t } from '#kit/i18n/index.ts'
import { DataTable, type Column } from '#kit/list/DataTable.tsx'
import { Pager } from '#kit/list/Pager.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Empty } from '#kit/ui/states.tsx'
import { ReviewExport } from './ReviewExport.tsx'

type Holder = z.infer<typeof reviewEndpoints.reviewPermission.output>['data']['list'][number]

interface Props {
  readonly code: string
  readonly onPerson: (operatorId: number) => void
}

const pageSize = 50

/** Everybody who has a permission, and by which role. */
export function HolderList({ code, onPerson }: Props): ReactNode {
  const [page, setPage] = useState(1)
  const { data, error, isPlaceholderData, refetch } = useEndpoint(
    reviewEndpoints.reviewPermission,
    { code, page, pageSize },
    { keepPrevious: true },
  )
  const found = data?.data
  return (
    <>
      <DataTable<Holder>
        label={t('持有者')}
        columns={columnsOf(onPerson)}
        rows={found?.list}
        rowKey={(row) => row.operatorId}
        loading={isPlaceholderData}
        error={error}
        onRetry={() => void refetch()}
        cardHead={(row) => nameCell(row, onPerson)}
        empty={<Empty title={t('没有人持有此权限')} />}
      />
      <Pager
        page={page - 1}
        hasNext={found !== undefined && page * pageSize < found.count}
        count={found?.count ?? null}
        busy={isPlaceholderData}
        onPrevious={() => setPage(page - 1)}
        onNext={() => setPage(page + 1)}
      >
        <ReviewExport ask={{ code }} />
      </Pager>
    </>
  )
}

function nameCell(row: Holder, onPerson: (operatorId: number) => void) {
  return (
    <span className="org-acts">
      <button type="button" onClick={() => onPerson(row.operatorId)}>
        {row.name}
      </button>
    </span>
  )
}

function columnsOf(onPerson: (operatorId: number) => void): readonly Column<Holder>[] {
  return [
    { key: 'name', title: t('姓名'), inHead: true, render: (row) => nameCell(row, onPerson) },
    { key: 'phone', title: t('手机号'), render: (row) => row.phone },
    { key: 'company', title: t('公司'), render: (row) => row.company },
    { key: 'role', title: t('来自角色'), render: (row) => row.roleName },
    {
      key: 'areas',
      title: t('服务区'),
      render: (row) => (row.allAreas ? t('全部') : t('{{count}} 个', { count: row.areaCount })),
    },
    {
      key: 'active',
      title: t('当前有效'),
      render: (row) => (row.active ? t('是') : <span data-tone="bad">{t('否，人员、角色或公司已停用')}</span>),
    },
  ]
}
