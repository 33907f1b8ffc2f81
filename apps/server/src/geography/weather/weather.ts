import { sql } from 'kysely'
import { weathers, type Weather } from '@saddle/contract/riding/benefits.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf } from '#kit/db/rows.ts'

/** The weather of an area; what a source of weather outside the platform would answer too. */
export type WeatherSource = {
  /** Null: not known. */
  at(tx: Tx, asked: { readonly areaId: number; readonly at: Date }): Promise<Weather | null>
}

const weatherRow = rowOf('area_weather', ['weather']).codes({ weather: weathers })

/** The weather that was written down for each area and hour. */
export const storedWeather: WeatherSource = {
  at: async (tx, { areaId, at }) => {
    const { rows } = await weatherRow.select`
      from area_weather where area_id = ${areaId} and hour = date_trunc('hour', ${at}::timestamptz)`.execute(tx)
    const [row] = rows
    return row === undefined ? null : weatherRow.present(row).weather
  },
}

export type HourOfWeather = {
  readonly agentId: number
  readonly areaId: number
  readonly hour: Date
  readonly weather: Weather
}

/** Writes down the weather of hours; what is told again for an hour replaces what was there. */
export async function recordWeather(tx: Tx, hours: readonly HourOfWeather[]): Promise<void> {
  await sql`
    insert into area_weather (agent_id, area_id, hour, weather)
    select * from unnest(${hours.map(({ agentId }) => agentId)}::bigint[], ${hours.map(({ areaId }) => areaId)}::bigint[],
      ${hours.map(({ hour }) => hour)}::timestamptz[], ${hours.map(({ weather }) => weather)}::text[])
    on conflict (area_id, hour) do update set weather = excluded.weather`.execute(tx)
}
