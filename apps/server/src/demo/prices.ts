import { sql } from 'kysely'
import type { PriceRules } from '@saddle/contract/riding/price.ts'
import type { Kit } from '#kit/kit.ts'
import { franchiseeId } from './tenants.ts'

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

const secondName = '禁停区不可还车'

/**
 * From now on nobody returns in the no-stop zones of one franchisee: a second version of its prices, so that riders of the
 * running demo meet a refusal, and its past stays charged as it was. Once; nothing where there are no prices yet.
 */
export async function closeNoStopZones({ db, clock }: Pick<Kit, 'db' | 'clock'>): Promise<void> {
  const at = new Date(clock.now())
  await db.system((tx) =>
    sql`
      insert into price_version (agent_id, area_id, name, rules, valid_from, author_name, created_at)
      select distinct on (v.area_id) v.agent_id, v.area_id, ${secondName},
        v.rules || '{"noStopReturnAllowed": false}'::jsonb, ${at}, v.author_name, ${at}
      from price_version v
      where v.agent_id = ${franchiseeId('chengji')} and v.valid_from <= ${at}
        and not exists (select from price_version o where o.area_id = v.area_id and o.name = ${secondName})
      order by v.area_id, v.valid_from desc, v.id desc`.execute(tx),
  )
}
