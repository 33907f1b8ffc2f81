import {
  isSettingValue,
  settingCodes,
  settingOf,
  type SettingCode,
  type SettingValue,
} from '@saddle/contract/settings/registry.ts'
import type { SettingSource } from '@saddle/contract/settings/choices.ts'
import { sql, type RawBuilder } from 'kysely'
import { computed, rowOf, rowOfValues, rowsOf, type RowOf } from '#kit/db/rows.ts'

/** A company, or a service area of it. */
export interface Place {
  readonly agentId: number
  readonly areaId?: number | null | undefined
}

const depthMax = 20

const changeRow = rowsOf(
  rowOf('setting_change', 's', ['id', 'area_id', 'code', 'value', 'made_at', 'made_by']).codes({ code: settingCodes }),
  rowOfValues({ depth: computed('integer', sql`above.depth`) }),
)
type ChangeRow = RowOf<typeof changeRow>

/** The latest choice of each setting in the place, its company and those above. One code, or all. */
export const selectChoices = ({ agentId, areaId = null }: Place, code: SettingCode | null): RawBuilder<ChangeRow> =>
  changeRow.query(
    (list) => sql`
      with recursive above (id, parent_id, depth) as (
        select id, parent_id, 0 from agent where id = ${agentId}
        union all select a.id, a.parent_id, above.depth + 1 from agent a join above on a.id = above.parent_id
        where above.depth < ${depthMax})
      select distinct on (s.code, s.agent_id, s.area_id) ${list}
      from setting_change s join above on above.id = s.agent_id
      where (${code}::text is null or s.code = ${code}) and (s.area_id is null or s.area_id = ${areaId}::bigint)
      order by s.code, s.agent_id, s.area_id, s.id desc`,
  )

export interface Choice {
  readonly value: SettingValue
  readonly source: SettingSource
}

/** What counts: the nearest choice that is one. A value that the registry no longer allows is none. */
export function choiceOf(code: SettingCode, rows: readonly ChangeRow[]): Choice {
  const near = (row: ChangeRow): number => (row.area_id === null ? row.depth : -1)
  const found = rows
    .filter((row) => row.code === code && isSettingValue(code, row.value))
    .toSorted((left, right) => near(left) - near(right))[0]
  if (found === undefined) return { value: settingOf(code).usual, source: 'default' }
  const source = found.area_id !== null ? 'area' : found.depth === 0 ? 'company' : 'above'
  return { value: found.value as SettingValue, source }
}

/** The latest choice in the place itself. */
export const ownOf = (code: SettingCode, rows: readonly ChangeRow[], { areaId = null }: Place): ChangeRow | undefined =>
  rows.find((row) => row.code === code && row.depth === 0 && row.area_id === areaId)
