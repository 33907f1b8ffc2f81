import Select from 'antd/es/select'
import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { franchiseEndpoints, type AreaRow } from '@saddle/contract/organisation/franchise.ts'
import { enabledStateLabels, enabledStates, type EnabledState } from '@saddle/contract/organisation/roles.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DataTable, type Column } from '#kit/list/DataTable.tsx'
import { Pager } from '#kit/list/Pager.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Empty } from '#kit/ui/states.tsx'
import { useLater } from '#kit/useLater.ts'
import '#organisation/parts/parts.css'

interface Props {
  readonly agentId: number | null
  readonly selectedId: number | null
  readonly onOpen: (area: AreaRow) => void
  readonly onAct: (kind: 'edit' | 'switch' | 'remove', area: AreaRow) => void
}

const pageSize = 20

/** The areas of a company (or of all), page by page. */
export function useAreas(agentId: number | null) {
  const [typed, setTyped] = useState('')
  const [state, setState] = useState<EnabledState | undefined>()
  const keyword = useLater(typed.trim())
  const question = JSON.stringify([agentId, keyword, state])
  const [at, setAt] = useState({ of: question, page: 1 })
  const page = at.of === question ? at.page : 1
  const input = {
    page,
    pageSize,
    ...(agentId !== null && { agentId }),
    ...(keyword !== '' && { keyword }),
    ...(state !== undefined && { state }),
  }
  const reading = useEndpoint(franchiseEndpoints.areasOfAgent, input, { keepPrevious: true })
  return {
    typed,
    setTyped,
    state,
    setState,
    page,
    goTo: (next: number) => setAt({ of: question, page: next }),
    reading,
  }
}

type Areas = ReturnType<typeof useAreas>

export function AreaTable({
  areas,
  selectedId,
  onOpen,
  onAct,
}: Omit<Props, 'agentId'> & { readonly areas: Areas }): ReactNode {
  const { reading, page } = areas
  const shown = reading.data?.data
  return (
    <section className="page-card">
      <search className="org-bar" aria-label={t('筛选条件')}>
        <input
          type="search"
          className="org-search"
          placeholder={t('搜索服务区名称')}
          aria-label={t('搜索服务区名称')}
          value={areas.typed}
          onChange={(event) => areas.setTyped(event.target.value)}
        />
        <Select
          className="org-select"
          allowClear
          placeholder={t('状态')}
          aria-label={t('状态')}
          value={areas.state ?? null}
          options={enabledStates.map((value) => ({ value, label: t(enabledStateLabels[value]) }))}
          onChange={(value: EnabledState | undefined) => areas.setState(value)}
        />
      </search>
      <DataTable<AreaRow>
        label={t('服务区')}
        columns={columnsOf({ selectedId, onOpen, onAct })}
        rows={shown?.list}
        rowKey={(area) => area.id}
        loading={reading.isPlaceholderData}
        error={reading.error}
        onRetry={() => void reading.refetch()}
        onOpen={onOpen}
        cardHead={(area) => nameCell({ area, selectedId, onOpen })}
        empty={<Empty title={t('没有符合条件的服务区')} />}
      />
      <Pager
        page={page - 1}
        hasNext={shown !== undefined && page * pageSize < shown.count}
        count={shown?.count ?? null}
        busy={reading.isPlaceholderData}
        onPrevious={() => areas.goTo(page - 1)}
        onNext={() => areas.goTo(page + 1)}
      />
    </section>
  )
}

type CellProps = Pick<Props, 'selectedId' | 'onOpen'> & { readonly area: AreaRow }

function nameCell({ area, selectedId, onOpen }: CellProps) {
  return (
    <button type="button" className="area-name" aria-pressed={area.id === selectedId} onClick={() => onOpen(area)}>
      {area.name}
    </button>
  )
}

function columnsOf({ selectedId, onOpen, onAct }: Omit<Props, 'agentId'>): readonly Column<AreaRow>[] {
  const act = (kind: 'edit' | 'switch' | 'remove', title: string, area: AreaRow) => (
    <button type="button" onClick={() => onAct(kind, area)}>
      {title}
    </button>
  )
  return [
    {
      key: 'name',
      title: t('名称'),
      inHead: true,
      render: (area) => nameCell({ area, selectedId, onOpen }),
    },
    { key: 'company', title: t('加盟商'), render: (area) => area.company },
    {
      key: 'state',
      title: t('状态'),
      render: (area) => (
        <span className="org-chip" data-tone={area.state === 'enabled' ? 'good' : undefined}>
          {t(enabledStateLabels[area.state])}
        </span>
      ),
    },
    { key: 'size', title: t('面积'), unit: 'km²', numeric: true, render: (area) => area.areaKm2.toFixed(2) },
    {
      key: 'vehicles',
      title: t('车辆'),
      numeric: true,
      render: (area) =>
        area.vehicles === 0 ? (
          0
        ) : (
          <Link to={`/vehicle/vehicle-query?filter=${encodeURIComponent(JSON.stringify({ areaIds: [area.id] }))}`}>
            {area.vehicles}
          </Link>
        ),
    },
    { key: 'people', title: t('仅限本区人员'), numeric: true, render: (area) => area.people },
    { key: 'created', title: t('建立时间'), render: (area) => dateTime(area.createdAt) },
    {
      key: 'acts',
      title: t('操作'),
      render: (area) => (
        <span className="org-acts">
          {act('edit', t('编辑'), area)}
          {act('switch', area.state === 'enabled' ? t('停用…') : t('启用…'), area)}
          {act('remove', t('删除'), area)}
        </span>
      ),
    },
  ]
}
