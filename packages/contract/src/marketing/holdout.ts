/**
 * Who gets nothing, so that the effect of what others get can be measured. A rider is held out of an activity or a
 * campaign by a hash of the company, the activity and the rider: the answer is the same at every time and on every server,
 * nothing is stored, and the groups of two activities are independent of each other. A rider who is held out at some percent
 * is held out at every higher one. The SQL function `holdout_bucket` computes the same for large sets.
 */

export const holdoutPercentMax = 50
/** Ten thousand, so that a percent has two decimals. */
export const holdoutBuckets = 10_000

/** Activities and campaigns count their ids separately; the control group of a company is one for all of them. */
const seeds = { activity: 0x5b1d_e001, campaign: 0x5b1d_e002, control: 0x5b1d_e003 } as const
export type HoldoutOf = keyof typeof seeds

type Holdout = {
  readonly agentId: number
  /** Of the activity or campaign. */
  readonly id: number
  readonly of?: HoldoutOf
}

/** Mixes 32 bits: each bit of the answer depends on each bit of the input (constants of "lowbias32"). */
function mix(bits: number): number {
  let value = bits >>> 0
  value = Math.imul(value ^ (value >>> 16), 0x7feb_352d) >>> 0
  value = Math.imul(value ^ (value >>> 15), 0x846c_a68b) >>> 0
  return (value ^ (value >>> 16)) >>> 0
}

const wordSize = 2 ** 32
const fold = (hash: number, value: number): number => mix(mix(hash ^ (value % wordSize)) ^ Math.floor(value / wordSize))

/** What `holdout_bucket` takes beside the rider. */
export const holdoutKey = ({ agentId, id, of = 'activity' }: Holdout): number => fold(fold(seeds[of], agentId), id)

/** The bucket of a rider, from 0 to 9999. */
export const holdoutBucket = (key: number, riderId: number): number => fold(key, riderId) % holdoutBuckets

/** Whether an activity (or a campaign) gives a rider nothing. Ask it before anything is given. */
export const isHeldOut = ({
  percent,
  riderId,
  ...of
}: Holdout & { readonly percent: number; readonly riderId: number }): boolean =>
  percent > 0 && holdoutBucket(holdoutKey(of), riderId) < percent * (holdoutBuckets / 100)

/** Whether a rider belongs to the control group of a company, which no activity and no campaign reaches. */
export const isControl = ({
  agentId,
  percent,
  riderId,
}: {
  readonly agentId: number
  readonly percent: number
  readonly riderId: number
}): boolean => isHeldOut({ agentId, id: 0, of: 'control', percent, riderId })
