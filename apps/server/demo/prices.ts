import { sql } from 'kysely'
import { demoPriceRules } from '@saddle/contract/demo/prices.ts'
import { dayMs } from '@saddle/contract/time.ts'
import type { Kit } from '#kit/kit.ts'
import { demoServiceAreas, franchiseeId, platformAgentId, platformCompany } from './tenants.ts'

const firstName = '首版计价'
const secondName = '禁停区不可还车'
const authorName = '平台'
/** Before the first ride of the demo's past. */
const pricesAgeMs = 40 * dayMs

/**
 * Adds prices to every area that has none, valid from before its first ride. One franchisee also gets a second version that
 * refuses returns in no-stop zones from now on, so that riders meet a refusal while past rides keep their charges. Both are
 * made once, and not in a database with other tenants.
 */
export async function insertDemoPrices({ db, clock }: Pick<Kit, 'db' | 'clock'>): Promise<void> {
  const now = new Date(clock.now())
  const first = new Date(clock.now() - pricesAgeMs)
  await db.system(async (tx) => {
    await sql`
      insert into price_version (agent_id, area_id, name, rules, valid_from, author_name, created_at)
      select a.agent_id, a.id, ${firstName}, ${JSON.stringify(demoPriceRules)}::jsonb, ${first}, ${authorName}, ${first}
      from service_area a
      where a.id = any (${demoServiceAreas.map(({ id }) => id)}::bigint[])
        and exists (select from agent p where p.id = ${platformAgentId} and p.company = ${platformCompany})
        and not exists (select from price_version v where v.area_id = a.id)`.execute(tx)
    await sql`
      insert into price_version (agent_id, area_id, name, rules, valid_from, author_name, created_at)
      select distinct on (v.area_id) v.agent_id, v.area_id, ${secondName},
        v.rules || '{"noStopReturnAllowed": false}'::jsonb, ${now}, v.author_name, ${now}
      from price_version v
      where v.agent_id = ${franchiseeId('chengji')} and v.valid_from <= ${now}
        and exists (select from agent p where p.id = ${platformAgentId} and p.company = ${platformCompany})
        and not exists (select from price_version o where o.area_id = v.area_id and o.name = ${secondName})
      order by v.area_id, v.valid_from desc, v.id desc`.execute(tx)
  })
}
