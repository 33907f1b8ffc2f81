import type { Ride as RideAnswer } from '@saddle/contract/riding/rides.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { withRetry, type RideDeps } from './deps.ts'

const secondMs = 1_000
/** Some riders pay later, or before their next ride. */
const forgetfulShare = 0.04
const neverShare = 0.25
const disputeShare = 0.12
const complainShare = 0.02
const payTimeoutMs = 2 * minuteMs
/** Delays between polls for the charge and for the payment. */
const pollDelaysS = [1, 2, 4, 8, 15, 30, 30, 30]
type Complaint = { readonly kind: 'fault' | 'charge' | 'other'; readonly text: string }
const complaints: readonly [Complaint, ...Complaint[]] = [
  { kind: 'fault', text: '刹车偏软，下坡不太放心' },
  { kind: 'fault', text: '仪表盘不亮，看不到电量' },
  { kind: 'charge', text: '明明骑了十几分钟，费用好像多算了' },
  { kind: 'other', text: '车座螺丝松了，骑起来一直往下滑' },
]
const claims = ['停车点已满，停在旁边', '定位偏了，车就在停车点里', '停车点在施工，进不去'] as const

/** Waits for the charge and pays it; some fees are disputed. */
export async function settle(deps: RideDeps, orderId: number): Promise<void> {
  const { api, timer, random, counts, phone, payer } = deps
  const input = { phone, orderId }
  const charged = await pollRide(deps, orderId, ({ chargedCents }) => chargedCents !== null)
  if (charged === null) return
  const isForgetful = random.chance(forgetfulShare)
  const willDispute = random.chance(disputeShare)
  const complaint = random.chance(complainShare) ? random.pick(complaints) : null
  if (charged.state === 'due') {
    if (isForgetful && random.chance(neverShare)) return
    if (isForgetful) await timer.wait({ forMs: random.between(5, 45) * minuteMs })
    const answer = await withRetry(deps, payTimeoutMs, () => api.ask('payRide', { ...input, payer }))
    if (!answer.ok) return
    const { payment } = answer.data
    if (payment !== null && !(await withRetry(deps, payTimeoutMs, () => api.pay(payment.number))).ok) return
    if (answer.data.state === 'due' && (await pollRide(deps, orderId, ({ state }) => state !== 'due')) === null) return
  }
  counts.paid++
  if (complaint !== null) {
    const ticket = { phone, orderId, ...complaint, requestId: `ride-${orderId}` }
    if ((await withRetry(deps, payTimeoutMs, () => api.ask('riderOpenTicket', ticket))).ok) counts.complained++
  }
  const hasFee = charged.lines.some(({ code }) => code === 'out_of_place' || code === 'no_stop')
  if (!hasFee || !willDispute) return
  const claim = random.pick(claims)
  const disputed = await withRetry(deps, payTimeoutMs, () => api.ask('disputeRide', { ...input, claim }))
  if (disputed.ok) counts.disputed++
}

/** Polls until the condition holds; null when it does not hold in time. */
async function pollRide(
  { api, timer, phone }: RideDeps,
  orderId: number,
  isSo: (ride: RideAnswer) => boolean,
): Promise<RideAnswer | null> {
  for (const seconds of pollDelaysS) {
    await timer.wait({ forMs: seconds * secondMs })
    const answer = await api.ask('readRide', { phone, orderId })
    if (answer.ok && isSo(answer.data)) return answer.data
    if (!answer.ok && answer.code === 'not_found') return null
  }
  return null
}
