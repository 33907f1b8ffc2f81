import { sql } from 'kysely'
import type { PriceRules } from '@saddle/contract/riding/price.ts'
import { dayMs } from '@saddle/contract/time.ts'
import type { Kit } from '#kit/kit.ts'
import { demoServiceAreas, franchiseeId, platformAgentId, platformCompany } from './tenants.ts'

const minutes = (hour: number): number => hour * 60
const workdays = [1, 2, 3, 4, 5]

/** What a ride of the demo city costs, of the kind that cities of its size know. */
export const demoPriceRules: PriceRules = {
  freeSeconds: 60,
  startCents: 150,
  timeSteps: [
    { fromMinute: 15, everyMinutes: 15, cents: 100 },
    { fromMinute: 60, everyMinutes: 10, cents: 100 },
  ],
  distance: { fromM: 8_000, everyM: 1_000, cents: 50 },
  bands: [
    { name: '早高峰', weekdays: workdays, fromMinute: minutes(7), toMinute: minutes(9), surchargePercent: 20 },
    {
      name: '夜间',
      weekdays: [1, 2, 3, 4, 5, 6, 7],
      fromMinute: minutes(23),
      toMinute: minutes(5),
      surchargePercent: 30,
    },
  ],
  dayCapCents: 3_000,
  insuranceCents: 0,
  outOfPlaceCents: 300,
  outsideAreaCents: 1_000,
  noStopCents: 500,
  noStopReturnAllowed: true,
}

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
