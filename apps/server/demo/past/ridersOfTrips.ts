import { demoRidersPerAgent } from '@saddle/contract/demo/riders.ts'

export { demoRider as historyRider, demoRiderPhone as historyPhone } from '@saddle/contract/demo/riders.ts'

/** Made-up people who rode in the demo's past. */

const surnames = '王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗'
const givenNames = '伟芳娜敏静丽强磊军洋勇艳杰娟涛明超秀霞平'

export const historyRiderName = (rider: number): string =>
  `${surnames[rider % surnames.length]}${givenNames[Math.floor(rider / surnames.length) % givenNames.length]}`

/** Spreads numbers that follow each other over all 32 bits. */
function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x45d9f3b)
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x45d9f3b)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/**
 * Who rode the trip, counted within the franchisee: the one that the history names, else one that follows from the
 * trip's number. A rider who is on another trip already leaves it to the next. Throws when everybody is riding.
 */
export function riderOfTrip(options: {
  tripId: number
  known: number | null
  startedAt: number
  /** When the latest trip of each rider of this franchisee ends. */
  busyUntil: ReadonlyMap<number, number>
}): number {
  const { tripId, known, startedAt, busyUntil } = options
  const first = known ?? Math.floor((mix(tripId) / 0x1_0000_0000) ** 2 * demoRidersPerAgent)
  for (let step = 0; step < demoRidersPerAgent; step += 1) {
    const rider = (first + step) % demoRidersPerAgent
    if ((busyUntil.get(rider) ?? 0) < startedAt) return rider
  }
  throw new RangeError('everybody is riding')
}
