import { useMemo, type ReactNode } from 'react'
import { Link } from 'react-router'
import {
  areaEndpoints,
  areaFields,
  areaList,
  type AreaFilter,
  type AreaRow,
} from '@saddle/contract/organisation/areas.ts'
import { enabledStateLabels } from '@saddle/contract/organisation/roles.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { keyword, many } from '#kit/list/filters/specs.tsx'
import { ListCard } from '#kit/list/ListCard.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import type { List } from '#kit/list/useList.ts'
import { Mark } from '#kit/ui/Mark.tsx'
import { MoreMenu } from '#kit/ui/MoreMenu.tsx'
import '../parts/parts.css'

export const areas = listOf({
  list: areaList,
  call: areaEndpoints.areasOfAgent,
  file: areaEndpoints.exportAreas,
  fields: areaFields,
})

interface Props {
  readonly list: List<AreaRow, AreaFilter>
  readonly selectedId: number | null
  readonly onOpen: (area: AreaRow) => void
  readonly onAct: (kind: 'edit' | 'switch' | 'remove', area: AreaRow) => void
}

/** The areas of a company, or of all, below the map that shows them. */
export function AreaList({ list, selectedId, onOpen, onAct }: Props): ReactNode {
  const columns = useMemo(() => () => columnsOf(onAct), [onAct])
  return (
    <ListCard
      list={list}
      label={t('服务区')}
      filters={[keyword(t('搜索服务区名称'), 'keyword'), many('states', t('状态'), enabledStateLabels)]}
      columns={columns}
      rowName={({ name }) => name}
      empty={t('还没有服务区')}
      opened={selectedId}
      onOpen={onOpen}
    />
  )
}

const vehiclesOf = (area: AreaRow): string =>
  `/vehicle/vehicle-query?filter=${encodeURIComponent(JSON.stringify({ areaIds: [area.id] }))}`

function columnsOf(onAct: Props['onAct']): readonly ColumnSpec<AreaRow>[] {
  return [
    { key: 'name', card: 'head', render: ({ name }) => <strong>{name}</strong> },
    'company',
    {
      key: 'state',
      card: 'head',
      render: ({ state }) => <Mark tone={state === 'enabled' ? 'good' : 'off'}>{t(enabledStateLabels[state])}</Mark>,
    },
    { key: 'areaKm2', render: ({ areaKm2 }) => areaKm2.toFixed(2) },
    {
      key: 'vehicles',
      render: (area) => (area.vehicles === 0 ? 0 : <Link to={vehiclesOf(area)}>{area.vehicles}</Link>),
    },
    'people',
    { key: 'createdAt', card: 'none' },
    { key: 'acts', title: t('操作'), card: 'head', render: (area) => <RowActs area={area} onAct={onAct} /> },
  ]
}

function RowActs({ area, onAct }: Pick<Props, 'onAct'> & { readonly area: AreaRow }) {
  return (
    <span className="org-acts">
      <button type="button" onClick={() => onAct('edit', area)}>
        {t('编辑')}
      </button>
      <MoreMenu
        label={area.name}
        actions={[
          {
            key: 'switch',
            label: area.state === 'enabled' ? t('停用…') : t('启用…'),
            run: () => onAct('switch', area),
          },
          { key: 'remove', label: t('删除'), run: () => onAct('remove', area), isDanger: true },
        ]}
      />
    </span>
  )
}
