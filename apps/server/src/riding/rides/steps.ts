import type { AskedPayment, PaymentChannelName } from '@saddle/contract/finance/payments.ts'
import type { rideEndpoints } from '@saddle/contract/riding/rides.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { reasonOf } from '@saddle/contract/riding/reasons.ts'
import type { AppCall, Handlers } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { missingCents, payDue } from '../charges/money.ts'
import { keepReturnPhotos } from '../returns/photos.ts'
import { insertCheck } from '../returns/store.ts'
import { judgeNow, versionAt } from './finish.ts'
import type { LifeParts } from './parts.ts'
import { appName, checkOwn, readRide, type Asked, type RideAnswer } from './ride.ts'
import { outlookOfStep, type RideStep } from './rules.ts'
import { changeRide, lockRide, placeOfVehicle, rideStateOfRow, type RideRow } from './store.ts'
import { turnRide } from './turns.ts'

type StepNames = 'cancelRide' | 'pauseRide' | 'resumeRide' | 'endRide' | 'payRide'

/**
 * What a step leaves: `may_turn` where the ride may already go on by itself, `waits` where only the vehicle, the rider or
 * time moves it, each of which has it looked at again.
 */
type Left = 'may_turn' | 'waits'
type StepWork = (tx: Tx, row: RideRow) => Promise<Left>

/** The steps of a ride that is there. Each is safe to repeat: one that was taken already changes nothing. */
export function createStepHandlers(parts: LifeParts): Pick<Handlers<typeof rideEndpoints>, StepNames> {
  const { kit } = parts

  /** Takes a step of a rider's own ride under its lock, then as far as it goes by itself. */
  const step = async (call: AppCall, asked: Asked, name: RideStep, work: StepWork): Promise<RideAnswer> => {
    const left = await kit.db.system(async (tx): Promise<Left> => {
      const row = await lockRide(tx, { id: asked.orderId })
      checkOwn(parts, call, asked, row)
      const outlook = outlookOfStep(rideStateOfRow(row), name)
      if (outlook === 'refuse') throw new AppError('ride_step_refused')
      return outlook === 'take' ? work(tx, row) : 'may_turn'
    })
    if (left === 'may_turn') await turnRide(parts, asked.orderId)
    return { suc: true, data: await readRide(parts, asked.orderId) }
  }
  const tell = (tx: Tx, row: RideRow, kind: 'unlock' | 'lock') =>
    parts.fleet.queueCommand(tx, {
      vehicleId: row.vehicle_id,
      agentId: row.agent_id,
      areaId: row.area_id,
      kind,
      reason: reasonOf('ofOrder', { order: row.id }),
      operatorName: appName,
    })
  const now = (): Date => new Date(kit.clock.now())

  return {
    cancelRide: (asked, call) =>
      step(call, asked, 'cancel', async (tx, row) => {
        await changeRide(tx, row.id, { state: 'cancelled', at: now() })
        await parts.fleet.turnReservation(tx, { vehicleId: row.vehicle_id, step: 'cancel' })
        return 'waits'
      }),

    pauseRide: (asked, call) =>
      step(call, asked, 'pause', async (tx, row) => {
        const lock = await tell(tx, row, 'lock')
        await changeRide(tx, row.id, { state: 'riding', at: now(), lockCommandId: lock.id, failure: null })
        return 'waits'
      }),

    resumeRide: (asked, call) =>
      step(call, asked, 'resume', async (tx, row) => {
        const unlock = await tell(tx, row, 'unlock')
        await changeRide(tx, row.id, { state: 'paused', at: now(), unlockCommandId: unlock.id, failure: null })
        return 'waits'
      }),

    endRide: ({ photos: files = [], ...asked }, call) => endRide({ parts, step, tell, now, asked, files, call }),

    payRide: async ({ channel, payer, ...asked }, call) => {
      let left: { agentId: number; riderId: number; cents: number } | null = null
      const { data } = await step(call, asked, 'pay', async (tx, row) => {
        const own = { agentId: row.agent_id, areaId: row.area_id, riderId: row.rider_id, orderId: row.id }
        const charge = { ...own, cents: row.charged_cents ?? 0, at: kit.clock.now() }
        const cents = await missingCents(parts, tx, charge)
        if (cents > 0) {
          left = { ...own, cents }
          return 'waits'
        }
        const payment = await payDue(parts, tx, charge, null)
        if (payment === null) throw new AppError('balance_insufficient')
        if (payment.entry !== null) await parts.ledger.post(payment.entry, tx)
        return 'waits'
      })
      const payment = await askForRest(parts, { orderId: asked.orderId, channel, payer, left })
      return { suc: true, data: { ...data, payment } }
    },
  }
}

/** Requests from the channel, outside of any transaction, what gift and balance do not cover; null when they do. */
async function askForRest(
  { payments }: LifeParts,
  rest: {
    readonly orderId: number
    readonly channel: PaymentChannelName | undefined
    readonly payer: string | undefined
    readonly left: { readonly agentId: number; readonly riderId: number; readonly cents: number } | null
  },
): Promise<AskedPayment | null> {
  const { orderId, channel, payer, left } = rest
  if (left === null) return null
  const { agentId, riderId, cents } = left
  const description = reasonOf('ofOrder', { order: orderId })
  const wanted = { agentId, riderId, purpose: 'ride', subjectId: orderId, channel, payer, cents, description } as const
  const { number, parameters, channel: chosen } = await payments.start(wanted)
  return { number, channel: chosen, cents, parameters }
}

/** If the vehicle may not be returned here, the ride continues and the attempt is noted; else its lock is closed. */
async function endRide(options: {
  parts: LifeParts
  step: (call: AppCall, asked: Asked, name: RideStep, work: StepWork) => Promise<RideAnswer>
  tell: (tx: Tx, row: RideRow, kind: 'lock') => Promise<{ id: number }>
  now: () => Date
  asked: Asked
  files: readonly string[]
  call: AppCall
}): Promise<RideAnswer> {
  const { parts, step, tell, now, asked, files, call } = options
  let isRefused = false
  const answer = await step(call, asked, 'end', async (tx, row) => {
    const { place, isLocked } = await placeOfVehicle(tx, row.vehicle_id)
    const judgement = await judgeNow(parts, tx, row, place)
    const own = { orderId: row.id, agentId: row.agent_id, areaId: row.area_id }
    const at = row.started_at ?? now()
    const { rules } = await versionAt(tx, { agentId: row.agent_id, areaId: row.area_id, at })
    if (judgement.kind === 'no_stop' && !rules.noStopReturnAllowed) {
      await insertCheck(tx, { ...own, at: now(), place, judgement, accepted: false })
      isRefused = true
      return 'may_turn'
    }
    await keepReturnPhotos(parts.photos, tx, { ...own, source: 'return', files })
    const isPausedAndLocked = rideStateOfRow(row) === 'paused' && isLocked
    const lock = isPausedAndLocked ? null : await tell(tx, row, 'lock')
    await changeRide(tx, row.id, {
      state: 'returning',
      at: now(),
      failure: null,
      ...(lock !== null && { lockCommandId: lock.id }),
    })
    return lock === null ? 'may_turn' : 'waits'
  })
  if (isRefused) throw new AppError('return_refused')
  return answer
}
