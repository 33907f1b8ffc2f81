/** Beyond so many vehicles at a place one more is worth nothing. */
export const stockMax = 60
/** Events of one place that one step may hold on average: the smaller, the nearer to the truth. */
const eventsOfStep = 0.5
const stepsOfHourMax = 60

/** What an hour brings to a place: riders who want a vehicle and vehicles that arrive. */
export type Hour = { readonly wanted: number; readonly arrived: number }

/**
 * Rides that a place is expected to lose for want of a vehicle until the last of the hours is over, by how many vehicles
 * stand there at the first one's beginning: riders and arrivals come at random with the rates of each hour, a rider takes
 * a vehicle or is lost. The list falls, and each further vehicle saves no more than the one before it.
 */
export function expectedLosses(hours: readonly Hour[]): Float64Array {
  let losses = new Float64Array(stockMax + 1)
  // From the end to the beginning: what follows is known when a step is looked at.
  for (let at = hours.length - 1; at >= 0; at -= 1) {
    const { wanted, arrived } = hours[at] ?? { wanted: 0, arrived: 0 }
    const steps = Math.min(stepsOfHourMax, Math.max(1, Math.ceil((wanted + arrived) / eventsOfStep)))
    const scale = Math.min(1, steps / Math.max(steps, wanted + arrived)) / steps
    const [taken, brought] = [wanted * scale, arrived * scale]
    for (let step = 0; step < steps; step += 1) losses = before(losses, taken, brought)
  }
  return losses
}

/** One step earlier: a rider comes, a vehicle comes, or nothing happens. */
function before(after: Float64Array, taken: number, brought: number): Float64Array<ArrayBuffer> {
  const losses = new Float64Array(after.length)
  const last = after.length - 1
  for (let stock = 0; stock <= last; stock += 1) {
    const now = after[stock] ?? 0
    const withoutOne = stock === 0 ? 1 + now : (after[stock - 1] ?? 0)
    const withOne = after[Math.min(last, stock + 1)] ?? 0
    losses[stock] = now + taken * (withoutOne - now) + brought * (withOne - now)
  }
  return losses
}
