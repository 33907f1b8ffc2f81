import type { Ride as ToldRide } from '@saddle/contract/riding/rider.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { patiently, type StoryParts } from './parts.ts'

const secondMs = 1_000
/** Some put their phone away and pay later, or when they want to ride again. */
const forgetfulShare = 0.04
const neverShare = 0.25
const disputeShare = 0.12
const complainShare = 0.02
const payPatienceMs = 2 * minuteMs
/** When the platform is asked whether the ride is charged, and whether the payment has arrived. */
const looksS = [1, 2, 4, 8, 15, 30, 30, 30]
type Complaint = { readonly kind: 'fault' | 'charge' | 'other'; readonly text: string }
const complaints: readonly [Complaint, ...Complaint[]] = [
  { kind: 'fault', text: '刹车偏软，下坡不太放心' },
  { kind: 'fault', text: '仪表盘不亮，看不到电量' },
  { kind: 'charge', text: '明明骑了十几分钟，费用好像多算了' },
  { kind: 'other', text: '车座螺丝松了，骑起来一直往下滑' },
]
const claims = ['停车点已满，停在旁边', '定位偏了，车就在停车点里', '停车点在施工，进不去'] as const

/** Waits for the charge and pays it; a fee that seems wrong is disputed. */
export async function settle(parts: StoryParts, orderId: number): Promise<void> {
  const { api, patience, random, counts, phone } = parts
  const asked = { phone, orderId }
  const charged = await look(parts, orderId, ({ chargedCents }) => chargedCents !== null)
  if (charged === null) return
  const isForgetful = random.chance(forgetfulShare)
  const willDispute = random.chance(disputeShare)
  const complaint = random.chance(complainShare) ? random.pick(complaints) : null
  if (charged.state === 'due') {
    if (isForgetful && random.chance(neverShare)) return
    if (isForgetful) await patience.wait({ forMs: random.between(5, 45) * minuteMs })
    const answer = await patiently(parts, payPatienceMs, () => api.ask('payRide', asked))
    if (!answer.ok) return
    const { payment } = answer.data
    if (payment !== null && !(await patiently(parts, payPatienceMs, () => api.pay(payment.number))).ok) return
    if (answer.data.state === 'due' && (await look(parts, orderId, ({ state }) => state !== 'due')) === null) return
  }
  counts.paid++
  if (complaint !== null) {
    const said = { phone, orderId, ...complaint, requestId: `ride-${orderId}` }
    if ((await patiently(parts, payPatienceMs, () => api.ask('riderComplain', said))).ok) counts.complained++
  }
  const hasFee = charged.lines.some(({ code }) => code === 'out_of_place' || code === 'no_stop')
  if (!hasFee || !willDispute) return
  const claim = random.pick(claims)
  const disputed = await patiently(parts, payPatienceMs, () => api.ask('disputeRide', { ...asked, claim }))
  if (disputed.ok) counts.disputed++
}

/** The ride as soon as it is so; null when it does not become so in time. */
async function look(
  { api, patience, phone }: StoryParts,
  orderId: number,
  isSo: (ride: ToldRide) => boolean,
): Promise<ToldRide | null> {
  for (const seconds of looksS) {
    await patience.wait({ forMs: seconds * secondMs })
    const told = await api.ask('readRide', { phone, orderId })
    if (told.ok && isSo(told.data)) return told.data
    if (!told.ok && told.code === 'not_found') return null
  }
  return null
}
