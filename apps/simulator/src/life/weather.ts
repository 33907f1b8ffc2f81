import { dayMs, hourMs } from '@saddle/contract/time.ts'
import { createRandom } from '#sim/random.ts'

const weatherKinds = ['clear', 'cloudy', 'rain', 'storm'] as const
export type Weather = {
  kind: (typeof weatherKinds)[number]
  temperatureC: number
  /** Factor of the usual demand. */
  demand: number
  /** Factor of the usual speed. */
  speed: number
}

/** Clouds come and go in blocks of so many hours. */
const blockHours = 3

const demandOf = { clear: 1.06, cloudy: 1, rain: 0.5, storm: 0.18 } as const
const speedOf = { clear: 1, cloudy: 1, rain: 0.88, storm: 0.75 } as const

/** The same share of 0 to 1 for the same seed, stream and number. */
const noise = (seed: number, stream: number, number: number) =>
  createRandom(Math.imul(seed ^ (stream * 0x9e3779b1), 0x85ebca6b) ^ Math.imul(number, 0xc2b2ae35)).next()

/** The weather of a moment: wet and dry spells of some days, showers of some hours, the seasons of the Yangtze's mouth. */
export function weatherAt(seed: number, timeMs: number): Weather {
  const day = Math.floor(timeMs / dayMs)
  const block = Math.floor(timeMs / (blockHours * hourMs))
  const wetness = 0.5 * noise(seed, 1, day >> 1) + 0.2 * noise(seed, 2, day) + 0.3 * noise(seed, 3, block)
  const kind = wetness > 0.8 ? 'storm' : wetness > 0.66 ? 'rain' : wetness > 0.42 ? 'cloudy' : 'clear'
  const hour = ((timeMs / hourMs + 8) % 24) + 0
  // The year is warmest at the end of July, the day in the early afternoon.
  const season = 17 - 12 * Math.cos(((day % 365.25) / 365.25 - 0.07) * 2 * Math.PI)
  const temperatureC = season + 4 * Math.cos(((hour - 14) / 24) * 2 * Math.PI) + 6 * (noise(seed, 4, day) - 0.5)
  const comfort = temperatureC < 3 || temperatureC > 34 ? 0.72 : 1
  return { kind, temperatureC, demand: demandOf[kind] * comfort, speed: speedOf[kind] }
}
