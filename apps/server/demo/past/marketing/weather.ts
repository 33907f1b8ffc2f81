import { sql } from 'kysely'
import type { Weather } from '@saddle/contract/riding/benefits.ts'
import { businessOffsetMs, dayMs, hourMs } from '@saddle/contract/time.ts'
import { recordWeather, type HourOfWeather } from '#geography/public.ts'
import type { Kit } from '#kit/kit.ts'
import { computed, rowOf, rowOfValues } from '#kit/db/rows.ts'

const pastMs = 32 * dayMs
const aheadMs = dayMs
/** Weather changes every so many hours. */
const spellHours = 4
const rainPercent = 22
const snowPercent = 6

/** A number below 100 of an area and a spell of weather; always the same. */
function percentOf(areaId: number, spell: number): number {
  let hash = Math.imul(areaId + 1, 0x9e37_79b1) ^ Math.imul(spell, 0x85eb_ca6b)
  hash = Math.imul(hash ^ (hash >>> 15), 0x2c1b_3c6d)
  hash = Math.imul(hash ^ (hash >>> 12), 0x297a_2d39)
  return ((hash ^ (hash >>> 15)) >>> 0) % 100
}

/** The weather of the demo city in an hour: by season, hour of the day, and chance of the place. */
export function demoWeather(areaId: number, hourAt: number): Weather {
  const local = new Date(hourAt + businessOffsetMs)
  const month = local.getUTCMonth() + 1
  const isHot = month >= 6 && month <= 8 && local.getUTCHours() >= 11 && local.getUTCHours() < 17
  const percent = percentOf(areaId, Math.floor(hourAt / (spellHours * hourMs)))
  if (percent < rainPercent) return 'rain'
  if ((month === 12 || month <= 2) && percent < rainPercent + snowPercent) return 'snow'
  return isHot ? 'heat' : 'fair'
}

const areaRow = rowOf('service_area', ['id', 'agent_id'])
const lastRow = rowOfValues({ last: computed('timestamptz?', sql`max(hour)`) })

/** Writes the weather of the demo city down, from a month ago until tomorrow; only hours that are missing. */
export async function writeDemoWeather({ db, clock }: Pick<Kit, 'db' | 'clock'>): Promise<void> {
  const now = clock.now()
  await db.system(async (tx) => {
    const { rows: areas } = await areaRow.select`from service_area order by id`.execute(tx)
    const { rows } = await lastRow.select`from area_weather`.execute(tx)
    const hourAt = (ms: number): number => Math.floor(ms / hourMs) * hourMs
    const from = Math.max(hourAt(now - pastMs), (rows[0]?.last?.getTime() ?? 0) + hourMs)
    const hours: HourOfWeather[] = []
    for (let at = from; at <= hourAt(now + aheadMs); at += hourMs) {
      for (const { id: areaId, agent_id: agentId } of areas) {
        hours.push({ agentId, areaId, hour: new Date(at), weather: demoWeather(areaId, at) })
      }
    }
    if (hours.length > 0) await recordWeather(tx, hours)
  })
}
