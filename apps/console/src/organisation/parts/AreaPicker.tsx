import Select from 'antd/es/select'
import { useState, type ReactNode } from 'react'
import { scopeListMax } from '@saddle/contract/constants.ts'
import type { Person } from '@saddle/contract/organisation/people.ts'
import { areaEndpoints } from '@saddle/contract/organisation/areas.ts'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'
import { useLater } from '#kit/useLater.ts'

type Area = Person['areas'][number]

interface Props {
  /** Areas of this company; null: of all that the person who chooses sees. */
  readonly agentId: number | null
  readonly allAreas: boolean
  readonly areas: readonly Area[]
  readonly isFixed: boolean
  readonly onChange: (next: { allAreas: boolean; areas: Area[] }) => void
}

const offered = 50

/** All service areas, or named ones, found by name. */
export function AreaPicker({ agentId, allAreas, areas, isFixed, onChange }: Props): ReactNode {
  const [typed, setTyped] = useState('')
  const keyword = useLater(typed.trim())
  const { data, isFetching } = useEndpoint(
    areaEndpoints.listServiceAreas,
    { pageSize: offered, ...(agentId !== null && { agentId }), ...(keyword !== '' && { keyword }) },
    { enabled: !allAreas, keepPrevious: true, quiet: true },
  )
  const found = data?.data.list ?? []
  const chosen = new Set(areas.map((area) => area.id))
  const known = new Map([...found, ...areas].map((area) => [area.id, area.name]))
  const options = [...areas, ...found.filter((area) => !chosen.has(area.id))].map(({ id, name }) => ({
    value: id,
    label: name,
  }))
  return (
    <fieldset className="org-choices">
      <legend>{t('服务区')}</legend>
      <label>
        <input
          type="radio"
          name="areas"
          checked={allAreas}
          onChange={() => onChange({ allAreas: true, areas: [...areas] })}
        />
        {t('全部（含今后新增）')}
      </label>
      <label>
        <input
          type="radio"
          name="areas"
          checked={!allAreas}
          onChange={() => onChange({ allAreas: false, areas: [...areas] })}
        />
        {t('指定服务区')}
      </label>
      {!allAreas && (
        <Select<number[]>
          className="org-wide"
          mode="multiple"
          disabled={isFixed}
          maxCount={scopeListMax}
          loading={isFetching}
          showSearch={{ filterOption: false, onSearch: setTyped }}
          placeholder={t('搜索服务区名称')}
          aria-label={t('指定服务区')}
          value={areas.map((area) => area.id)}
          options={options}
          onChange={(ids) =>
            onChange({ allAreas: false, areas: ids.map((id) => ({ id, name: known.get(id) ?? String(id) })) })
          }
        />
      )}
    </fieldset>
  )
}
