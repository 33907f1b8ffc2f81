import { demoAgents, demoAreas } from '@saddle/contract/demo/city.ts'
import { demoRidersPerAgent } from '@saddle/contract/demo/riders.ts'
import { childSeed, createRandom, type Random } from '#sim/random.ts'
import { purposes, type Purpose } from './rhythm.ts'
import type { Town } from './town.ts'

/** Who rides. A rider has a home, a place to spend the day at, a pace, and an appetite for riding. */
export type Population = {
  /** Somebody for whom a ride with this purpose from `origin` to `goal` is likely, and where they go with it. */
  pick(options: { area: number; purpose: number; origin: number; goal: number; random: Random }): Picked
  /** Where they live. */
  home(area: number, rider: number): number
  /** How fast they ride compared with others. */
  pace(area: number, rider: number): number
}

/** `rider` counts within the franchisee that the area belongs to, as contract/demo/riders.ts does. */
export type Picked = { rider: number; origin: number; goal: number }

type Company = {
  readonly home: Int32Array
  readonly day: Int32Array
  readonly weight: Float64Array
  readonly pace: Float64Array
}
/** Riders with the running sum of their weights. */
type Pool = { readonly riders: readonly number[]; readonly sums: Float64Array }

/**
 * How much the frequency of riding varies, as the standard deviation of a logarithm: a tenth of the riders take half of the rides and
 * a third ride once or twice in a month.
 */
const appetiteSpread = 1.5
/** The most frequent riders ride about four times a day. */
const appetiteMost = 26
const paceSpread = 0.1
/** Regular riders go where they always go; others follow what draws them just then. */
const habit = 0.75
const goingHome = 0.85

/** The riders of the demo's franchisees; the same seed gives the same people. */
export function createPopulation(town: Town, seed: number): Population {
  const companyOf = demoAreas.map(({ agentKey }) => demoAgents.findIndex(({ key }) => key === agentKey))
  const companies = demoAgents.map((_, company) => makeCompany({ town, seed, company, companyOf }))
  const pools = poolsOf(town, companies, companyOf)
  const any = new Set<Purpose['from']>(['work', 'campus'])
  return {
    home: (area, rider) => companies[companyOf[area] ?? 0]?.home[rider] ?? 0,
    pace: (area, rider) => companies[companyOf[area] ?? 0]?.pace[rider] ?? 1,
    pick({ area, purpose, origin, goal, random }) {
      const company = companies[companyOf[area] ?? 0]
      const { from, to } = purposes[purpose] ?? { from: 'home', to: 'home' }
      const starts = from === 'home' ? pools.home[origin] : any.has(from) ? pools.day[origin] : undefined
      const pool = starts ?? (to === 'home' ? pools.home[goal] : undefined) ?? pools.area[area]
      const rider = drawFrom(pool, random) ?? drawFrom(pools.area[area], random) ?? 0
      if (company === undefined) return { rider, origin, goal }
      const [home, day] = [company.home[rider] ?? goal, company.day[rider] ?? goal]
      if (to === 'home' && home !== origin && random.chance(goingHome)) return { rider, origin, goal: home }
      const goesToDay = from === 'home' && any.has(to) && day !== origin
      return { rider, origin, goal: goesToDay && random.chance(habit) ? day : goal }
    },
  }
}

function makeCompany(options: { town: Town; seed: number; company: number; companyOf: readonly number[] }): Company {
  const { town, seed, company, companyOf } = options
  const random = createRandom(childSeed(seed, 50_000_000 + company))
  const areas = companyOf.flatMap((of, area) => (of === company && town.byArea[area] ? [area] : []))
  const [home, day] = [new Int32Array(demoRidersPerAgent), new Int32Array(demoRidersPerAgent)]
  const [weight, pace] = [new Float64Array(demoRidersPerAgent), new Float64Array(demoRidersPerAgent)]
  const [toWork, toClass] = ['to work', 'to class'].map((name) =>
    purposes.findIndex((purpose) => purpose.name === name),
  )
  for (let rider = 0; rider < demoRidersPerAgent; rider++) {
    const area = areas[rider % Math.max(1, areas.length)] ?? 0
    const studies = random.chance(0.25 * town.share(area, toClass ?? 0))
    const purpose = (studies ? toClass : toWork) ?? 0
    home[rider] = town.origin(area, purpose, random)
    day[rider] = town.goal(home[rider] ?? 0, purpose, random)
    weight[rider] = Math.min(appetiteMost, Math.exp(random.gauss(appetiteSpread)))
    pace[rider] = Math.exp(random.gauss(paceSpread))
  }
  return { home, day, weight, pace }
}

function poolsOf(
  town: Town,
  companies: readonly Company[],
  companyOf: readonly number[],
): { home: (Pool | undefined)[]; day: (Pool | undefined)[]; area: (Pool | undefined)[] } {
  const [home, day, area]: [number[][], number[][], number[][]] = [[], [], []]
  const add = (lists: number[][], index: number, rider: number) => (lists[index] ??= []).push(rider)
  for (const company of companies) {
    for (let rider = 0; rider < company.home.length; rider++) {
      const at = company.home[rider] ?? 0
      add(home, at, rider)
      add(day, company.day[rider] ?? 0, rider)
      add(area, town.anchors[at]?.areaIndex ?? 0, rider)
    }
  }
  const poolOf = (riders: readonly number[] | undefined, areaIndex: number): Pool | undefined => {
    const company = companies[companyOf[areaIndex] ?? 0]
    if (riders === undefined || company === undefined) return undefined
    let sum = 0
    return { riders, sums: Float64Array.from(riders, (rider) => (sum += company.weight[rider] ?? 0)) }
  }
  return {
    home: town.anchors.map(({ areaIndex }, index) => poolOf(home[index], areaIndex)),
    day: town.anchors.map(({ areaIndex }, index) => poolOf(day[index], areaIndex)),
    area: town.byArea.map((_, index) => poolOf(area[index], index)),
  }
}

function drawFrom(pool: Pool | undefined, random: Random): number | undefined {
  if (pool === undefined) return undefined
  const wanted = random.next() * (pool.sums.at(-1) ?? 0)
  let [low, high] = [0, pool.riders.length - 1]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((pool.sums[middle] ?? 0) > wanted) high = middle
    else low = middle + 1
  }
  return pool.riders[low]
}
