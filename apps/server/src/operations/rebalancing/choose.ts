import { planeM, type LatLng } from '@saddle/geo/earth.ts'
import { detour } from './detour.ts'
import type { Move } from './moves.ts'

export type Wish = { readonly fromFenceId: number; readonly toFenceId: number; readonly vehicles: number }

type ChoosePlace = LatLng & {
  readonly id: number
  readonly name: string
  readonly stock: number
  readonly losses: Float64Array
  /** Vehicles that may be taken. */
  readonly idle: readonly number[]
}

/** A move with the vehicles that it takes. */
export type Chosen = Omit<Move, 'from' | 'to'> & {
  readonly from: number
  readonly to: number
  readonly goal: ChoosePlace
  readonly carried: readonly number[]
}

export type Choice = {
  readonly moves: readonly Chosen[]
  /** As many of those that stay where some were taken. */
  readonly left: readonly number[]
}

/**
 * The vehicles for what was wished: every second of those that nobody rode for longest, so that the ones between them,
 * which stay, are alike and show what would have become of those that go. What has been ridden away since is left out.
 */
export function choose(places: readonly ChoosePlace[], wishes: readonly Wish[]): Choice {
  const indexOf = new Map(places.map(({ id }, index) => [id, index]))
  const stocks = places.map(({ stock }) => stock)
  const queues = places.map(({ idle }) => ({
    go: idle.filter((_, at) => at % 2 === 0),
    stay: idle.filter((_, at) => at % 2 === 1),
  }))
  const moves = wishes.flatMap(({ fromFenceId, toFenceId, vehicles }): Chosen[] => {
    const [from, to] = [indexOf.get(fromFenceId), indexOf.get(toFenceId)]
    if (from === undefined || to === undefined || from === to) return []
    const [origin, goal, queue] = [places[from], places[to], queues[from]]
    if (origin === undefined || goal === undefined || queue === undefined) return []
    const first = queue.go.splice(0, vehicles)
    // More than half of the place goes: then also some that would have been compared with.
    const carried = [...first, ...queue.stay.splice(0, vehicles - first.length)]
    if (carried.length === 0) return []
    let gain = 0
    for (let moved = 0; moved < carried.length; moved += 1) {
      gain += lossOf(goal, stocks[to] ?? 0) - lossOf(goal, (stocks[to] ?? 0) + 1)
      gain -= lossOf(origin, (stocks[from] ?? 0) - 1) - lossOf(origin, stocks[from] ?? 0)
      stocks[to] = (stocks[to] ?? 0) + 1
      stocks[from] = (stocks[from] ?? 0) - 1
    }
    return [
      {
        from,
        to,
        goal,
        vehicles: carried.length,
        gain,
        distanceM: planeM(origin, goal) * detour,
        carried,
      },
    ]
  })
  // Only now: one that would have stayed may have been taken by a later move from the same place.
  const left = queues.flatMap(({ stay }, place) => {
    const taken = moves.reduce((sum, move) => sum + (move.from === place ? move.carried.length : 0), 0)
    return stay.slice(0, taken)
  })
  return { moves, left }
}

const lossOf = ({ losses }: ChoosePlace, stock: number): number =>
  losses[Math.max(0, Math.min(stock, losses.length - 1))] ?? 0
