import { settings, type SettingCode } from '@saddle/contract/settings/registry.ts'
import { sql, type RawBuilder } from 'kysely'

type NumberCode = { [C in SettingCode]: (typeof settings)[C]['kind'] extends 'number' ? C : never }[SettingCode]

/** What was chosen for a setting, by company: once for a statement, and null where nobody has chosen anything. */
export function chosenNumbers(code: NumberCode): RawBuilder<Readonly<Record<string, number>> | null> {
  const { min, max } = settings[code]
  return sql`(select chosen_numbers(${sql.lit(code)}, ${sql.lit(min)}, ${sql.lit(max)}))`
}

/** What counts for a setting in the company of a row, for statements over rows of many companies. */
export const chosenNumber = (code: NumberCode, agentId: RawBuilder<unknown> = sql`v.agent_id`): RawBuilder<number> =>
  sql<number>`coalesce((${chosenNumbers(code)} ->> ${agentId}::text)::integer, ${sql.lit(settings[code].usual)})`
