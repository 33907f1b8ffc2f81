import { demoRider, demoRidersPerAgent } from '@saddle/contract/demo/riders.ts'

export { demoRiderPhone as historyPhone } from '@saddle/contract/demo/riders.ts'

/** Made-up people who rode in the demo's past. */

const surnames = '王李张刘陈杨黄赵吴周徐孙马朱胡郭何林高罗'
const givenNames = '伟芳娜敏静丽强磊军洋勇艳杰娟涛明超秀霞平'

export const historyRiders = (agentId: number): number[] =>
  Array.from({ length: demoRidersPerAgent }, (_, index) => demoRider(agentId, index))

export const historyRiderName = (rider: number): string =>
  `${surnames[rider % surnames.length]}${givenNames[Math.floor(rider / surnames.length) % givenNames.length]}`

/** Spreads numbers that follow each other over all 32 bits. */
function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x45d9f3b)
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x45d9f3b)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/** Few ride often, many now and then; whoever is on a ride already leaves it to the next. */
export function riderOfTrip(options: {
  tripId: number
  riderIds: readonly number[]
  startedAt: number
  busyUntil: ReadonlyMap<number, number>
}): number {
  const { tripId, riderIds, startedAt, busyUntil } = options
  const first = Math.floor((mix(tripId) / 0x1_0000_0000) ** 2 * riderIds.length)
  for (let step = 0; step < riderIds.length; step += 1) {
    const riderId = riderIds[(first + step) % riderIds.length]
    if (riderId !== undefined && (busyUntil.get(riderId) ?? 0) < startedAt) return riderId
  }
  throw new RangeError('everybody is riding')
}
