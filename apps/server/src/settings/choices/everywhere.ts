import { isSettingValue, settingOf, type SettingCode, type ValueOf } from '@saddle/contract/settings/registry.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf } from '#kit/db/rows.ts'
import type { Place } from './store.ts'

const choiceRow = rowOf('setting_change', 's', ['agent_id', 'area_id', 'value'])
const agentRow = rowOf('agent', 'a', ['id', 'parent_id'])

/** Places of which the latest choice is read; a platform with more has none of the rest. */
const choicesMax = 10_000

const placeKey = ({ agentId, areaId = null }: Place): string => `${agentId} ${areaId ?? ''}`

/**
 * What counts for a setting in each place, for jobs that go over all of them: two statements, and one where nobody has chosen
 * anything. In a transaction of the system.
 */
export async function readSettingEverywhere<C extends SettingCode>(
  tx: Tx,
  code: C,
): Promise<{ readonly of: (place: Place) => ValueOf<C>; readonly chosen: readonly ValueOf<C>[] }> {
  const usual = settingOf(code).usual as ValueOf<C>
  const { rows } = await choiceRow.select`
    from (
      select distinct on (agent_id, area_id) * from setting_change where code = ${code}
      order by agent_id, area_id, id desc limit ${choicesMax}) s`.execute(tx)
  const choices = new Map<string, ValueOf<C>>()
  for (const { agent_id: agentId, area_id: areaId, value } of rows)
    if (isSettingValue(code, value)) choices.set(placeKey({ agentId, areaId }), value as ValueOf<C>)
  if (choices.size === 0) return { of: () => usual, chosen: [] }
  const { rows: agents } = await agentRow.select`from agent a`.execute(tx)
  const parents = new Map(agents.map(({ id, parent_id: parentId }) => [id, parentId]))
  const of = ({ agentId, areaId = null }: Place): ValueOf<C> => {
    if (areaId !== null) {
      const own = choices.get(placeKey({ agentId, areaId }))
      if (own !== undefined) return own
    }
    // The tree has no circles, and no company stands deeper than there are companies.
    for (let at: number | null = agentId, depth = 0; at !== null && depth <= agents.length; depth += 1) {
      const found = choices.get(placeKey({ agentId: at }))
      if (found !== undefined) return found
      at = parents.get(at) ?? null
    }
    return usual
  }
  return { of, chosen: [...choices.values()] }
}
