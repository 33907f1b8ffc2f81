import { priceRulesSchema } from '@saddle/contract/riding/price.ts'
import { rowOf } from '#kit/db/rows.ts'
import type { AreaPrice } from './worth.ts'

const priceRow = rowOf('price_version', 'p', ['agent_id', 'area_id', 'rules'])

/** Prices in force in the areas of companies. */
export const selectPrices = ({ agentIds, at }: { readonly agentIds: readonly number[]; readonly at: Date }) =>
  priceRow.select`
    from service_area s cross join lateral (
      select * from price_version v
      where v.area_id = s.id and v.agent_id = s.agent_id and v.valid_from <= ${at}
        and not exists (select from price_withdrawal w where w.version_id = v.id)
      order by v.valid_from desc, v.id desc limit 1
    ) p
    where s.agent_id = any (${agentIds}::bigint[]) order by s.id`

export const areaPrice = (row: { readonly area_id: number; readonly rules: unknown }): AreaPrice => ({
  areaId: row.area_id,
  rules: priceRulesSchema.parse(row.rules),
})
