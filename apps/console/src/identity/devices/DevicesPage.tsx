import { useState, type ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import {
  operatorDeviceEndpoints,
  operatorDeviceStateLabels,
  operatorDeviceStates,
  type OperatorDevice,
  type OperatorDeviceState,
} from '@saddle/contract/identity/devices.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DataTable, type Column } from '#kit/list/DataTable.tsx'
import { Pager } from '#kit/list/Pager.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Empty } from '#kit/ui/states.tsx'
import { Policies } from './Policies.tsx'
import { useDecisions } from './useDecisions.ts'
import './devices.css'

const pageSize = 20
const refreshEveryMs = 30_000
const tabs = ['requested', 'approved', 'unknown', 'all'] as const
type Tab = (typeof tabs)[number]
const tabLabels: Readonly<Record<Tab, string>> = { ...operatorDeviceStateLabels, all: '全部' }

const isTab = (text: string | null): text is Tab => tabs.some((tab) => tab === text)
const stateOf = (tab: Tab): OperatorDeviceState | undefined => operatorDeviceStates.find((state) => state === tab)

/** Browsers with which people log in: who asks for approval, who has it, and which companies ask for it at all. */
export default function DevicesPage(): ReactNode {
  const [query, setQuery] = useSearchParams()
  const asked = query.get('state')
  const tab = isTab(asked) ? asked : 'requested'
  const [page, setPage] = useState(1)
  const [selected, setSelected] = useState<(number | string)[]>([])
  const state = stateOf(tab)
  const { data, error, isFetching, refetch } = useEndpoint(
    operatorDeviceEndpoints.deviceAuthorizeInfo,
    { page, pageSize, ...(state !== undefined && { state }) },
    { keepPrevious: true, refetchIntervalMs: refreshEveryMs },
  )
  const rows = data?.data.list
  const decisions = useDecisions(() => setSelected([]))
  const open = (next: Tab): void => {
    setQuery({ state: next }, { replace: true })
    setPage(1)
    setSelected([])
  }
  const chosen = rows?.filter((row) => selected.includes(row.id)) ?? []
  return (
    <div className="page">
      <header className="page-head">
        <h1>{t('登录设备授权')}</h1>
      </header>
      <Policies />
      <section className="page-card">
        <div className="devices-head">
          <div className="devices-tabs" role="tablist" aria-label={t('设备状态')}>
            {tabs.map((one) => (
              <button key={one} type="button" role="tab" aria-selected={one === tab} onClick={() => open(one)}>
                {t(tabLabels[one])}
              </button>
            ))}
          </div>
          <Batch chosen={chosen} decisions={decisions} />
        </div>
        <DataTable<OperatorDevice>
          label={t('登录设备')}
          columns={columnsFor(decisions)}
          rows={rows}
          rowKey={(row) => row.id}
          loading={isFetching && rows !== undefined}
          error={error}
          onRetry={() => void refetch()}
          selected={selected}
          onSelect={setSelected}
          cardHead={nameOf}
          empty={<Empty title={tab === 'requested' ? t('没有等待授权的设备') : t('没有符合条件的设备')} />}
        />
        <Pager
          page={page - 1}
          hasNext={(data?.data.count ?? 0) > page * pageSize}
          count={data?.data.count ?? null}
          busy={isFetching}
          onPrevious={() => setPage(page - 1)}
          onNext={() => setPage(page + 1)}
        />
      </section>
    </div>
  )
}

type Decisions = ReturnType<typeof useDecisions>

function Batch({ chosen, decisions }: { readonly chosen: readonly OperatorDevice[]; readonly decisions: Decisions }) {
  const open = chosen.filter((row) => row.state !== 'approved')
  const approved = chosen.filter((row) => row.state === 'approved' && !row.isThis)
  return (
    <div className="devices-batch">
      {open.length > 0 && (
        <Button look="primary" busy={decisions.isBusy} onClick={() => decisions.approve(open)}>
          {t('授权 {{count}} 台设备', { count: open.length })}
        </Button>
      )}
      {approved.length > 0 && (
        <Button busy={decisions.isBusy} onClick={() => decisions.askRemove(approved)}>
          {t('取消 {{count}} 台设备的授权', { count: approved.length })}
        </Button>
      )}
    </div>
  )
}

function RowActs({ row, decisions }: { readonly row: OperatorDevice; readonly decisions: Decisions }) {
  if (row.isThis) return <span className="devices-this">{t('当前设备')}</span>
  if (row.state === 'approved') {
    return (
      <Button look="quiet" onClick={() => decisions.askRemove([row])}>
        {t('取消授权')}
      </Button>
    )
  }
  return (
    <span className="devices-acts">
      <Button look="quiet" onClick={() => decisions.approve([row])}>
        {t('授权')}
      </Button>
      {row.state === 'requested' && (
        <Button look="quiet" onClick={() => decisions.refuse([row])}>
          {t('拒绝申请')}
        </Button>
      )}
    </span>
  )
}

const nameOf = (row: OperatorDevice): ReactNode => <b>{row.operatorName}</b>

const columnsFor = (decisions: Decisions): Column<OperatorDevice>[] => [
  { key: 'person', title: t('姓名'), render: (row) => row.operatorName, inHead: true },
  { key: 'phone', title: t('手机号'), render: (row) => row.phone },
  { key: 'company', title: t('公司'), render: (row) => row.company },
  { key: 'device', title: t('设备'), render: (row) => <span title={row.userAgent}>{row.name}</span> },
  {
    key: 'state',
    title: t('状态'),
    render: (row) => (
      <span className="devices-state" data-state={row.state}>
        {t(operatorDeviceStateLabels[row.state])}
      </span>
    ),
  },
  { key: 'requested', title: t('申请时间'), render: (row) => dateTime(row.requestedAt) },
  { key: 'seen', title: t('最近使用'), render: (row) => dateTime(row.lastSeenAt) },
  {
    key: 'decided',
    title: t('处理'),
    render: (row) => (row.decidedBy === null ? '--' : `${row.decidedBy} ${dateTime(row.decidedAt)}`),
  },
  { key: 'acts', title: t('操作'), render: (row) => <RowActs row={row} decisions={decisions} /> },
]
