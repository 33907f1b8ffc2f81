import { AppError } from '@saddle/contract/errors.ts'
import {
  effectRiderFields,
  effectRiderList,
  type Effect,
  type effectEndpoints,
} from '@saddle/contract/marketing/effects.ts'
import type { Handlers } from '#kit/call.ts'
import { serveList } from '#kit/list/serveList.ts'
import type { CouponDeps } from '../coupons/deps.ts'
import { compareArms, verdictOf } from './rules.ts'
import { effectRiderRows, measure, presentEffectRider, readPopulation, type Measured } from './store.ts'

/** What an activity or a campaign brought, beside the riders that were held out of it. */
export function createEffectHandlers(deps: CouponDeps): Handlers<typeof effectEndpoints> {
  const { kit, riders } = deps
  const compared = serveList(deps, effectRiderList, {
    name: 'effect-riders',
    prepare: async ({ activityId: id }, { scope }) => {
      const population = await kit.db.withScope(scope, (tx) => readPopulation(tx, { id, scope, now: kit.clock.now() }))
      if (population === null) throw new AppError('not_found')
      return population
    },
    rows: effectRiderRows,
    present: ({ phone_sealed, phone_hash, ...row }) => ({
      ...presentEffectRider({ phone_sealed, phone_hash, ...row }),
      phone: riders.maskedPhone({ phone_sealed, phone_hash }),
    }),
    file: { action: 'activity.export', fields: effectRiderFields },
  })
  return {
    listEffectRiders: compared.page,
    exportEffectRiders: compared.file,
    marketingEffect: async ({ of, id }, { scope }) => {
      const measured = await kit.db.withScope(scope, (tx) => measure(tx, { of, id, scope, now: kit.clock.now() }))
      if (measured === null) throw new AppError('not_found')
      return { suc: true, data: effectOf(measured) }
    },
  }
}

export function effectOf({ treated, heldOut, costCents, from, to }: Measured): Effect {
  const riders = treated.rides.n
  const isComparable = riders > 1 && heldOut.rides.n > 1
  const rides = isComparable ? compareArms({ treated: treated.rides, heldOut: heldOut.rides }) : null
  const cents = isComparable ? compareArms({ treated: treated.cents, heldOut: heldOut.cents }) : null
  const verdict = verdictOf({ treated: treated.rides, heldOut: heldOut.rides }, rides)
  const isTold = rides !== null && verdict !== 'no_holdout'
  const extraRides = isTold
    ? { value: rides.difference * riders, low: rides.low * riders, high: rides.high * riders }
    : null
  const perRide = (more: number): number => costCents / more
  return {
    verdict,
    treatedRiders: riders,
    heldOutRiders: heldOut.rides.n,
    rides: isTold ? rides : null,
    cents: isTold ? cents : null,
    extraRides,
    costCents,
    costPerRideCents:
      extraRides === null || verdict !== 'up'
        ? null
        : {
            value: perRide(extraRides.value),
            low: perRide(extraRides.high),
            high: extraRides.low > 0 ? perRide(extraRides.low) : null,
          },
    from,
    to,
  }
}
