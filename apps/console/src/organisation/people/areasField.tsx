import Select from 'antd/es/select'
import { useState } from 'react'
import { scopeListMax } from '@saddle/contract/constants.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { areaEndpoints } from '@saddle/contract/organisation/areas.ts'
import type { Person } from '@saddle/contract/organisation/people.ts'
import type { ControlProps, Field } from '#kit/form/field.ts'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'
import { useLater } from '#kit/useLater.ts'

interface AreaChoice {
  readonly allAreas: boolean
  readonly areas: Person['areas']
}

interface Options {
  /** Areas of this company; null: of all that the person who chooses sees. */
  readonly agentId: number | null
  readonly initial: AreaChoice
  /** The person has areas that the caller does not see, and keeps them: none need be named. */
  readonly hasUnseen: boolean
}

/** All service areas, or named ones: at least one, or the person would log in and see nothing. */
export function personAreas({
  agentId,
  initial,
  hasUnseen,
}: Options): Field<AreaChoice, { allAreas: boolean; areaIds: number[] }> {
  return {
    label: t('服务区'),
    isGroup: true,
    initial,
    at: 'areaIds',
    read: ({ allAreas, areas }) => {
      if (!allAreas && areas.length === 0 && !hasUnseen) return { fault: t(new AppError('areas_required').message) }
      return { value: { allAreas, areaIds: allAreas ? [] : areas.map(({ id }) => id) } }
    },
    refusals: ['areas_required'],
    control: (props) => <AreaPicker {...props} agentId={agentId} />,
  }
}

const offered = 50

function AreaPicker({ id, value, onChange, isInvalid, agentId }: ControlProps<AreaChoice> & Pick<Options, 'agentId'>) {
  const { allAreas, areas } = value
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
  const options = [...areas, ...found.filter((area) => !chosen.has(area.id))].map((area) => ({
    value: area.id,
    label: area.name,
  }))
  const radio = (label: string, isAll: boolean) => (
    <label className="form-choice">
      <input
        type="radio"
        name={id}
        checked={allAreas === isAll}
        onChange={() => onChange({ allAreas: isAll, areas: [...areas] })}
      />
      <span>{label}</span>
    </label>
  )
  return (
    <span className="form-choices">
      {radio(t('全部（含今后新增）'), true)}
      {radio(t('指定服务区'), false)}
      {!allAreas && (
        <Select<number[]>
          className="form-select"
          mode="multiple"
          maxCount={scopeListMax}
          loading={isFetching}
          showSearch={{ filterOption: false, onSearch: setTyped }}
          placeholder={t('搜索服务区名称')}
          aria-label={t('指定服务区')}
          {...(isInvalid && { status: 'error' as const })}
          value={areas.map((area) => area.id)}
          options={options}
          onChange={(ids) =>
            onChange({
              allAreas: false,
              areas: ids.map((areaId) => ({ id: areaId, name: known.get(areaId) ?? String(areaId) })),
            })
          }
        />
      )}
    </span>
  )
}
