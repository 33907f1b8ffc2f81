import type { orderEndpoints } from '@saddle/contract/riding/orders.ts'
import type { cardPreviewEndpoints } from '@saddle/contract/riding/cardPreview.ts'
import type { priceEndpoints } from '@saddle/contract/riding/prices.ts'
import { refundEndpoints } from '@saddle/contract/riding/refunds.ts'
import type { fenceManageEndpoints } from '@saddle/contract/geography/manage.ts'
import type { returnEndpoints } from '@saddle/contract/riding/returns.ts'
import type { rideEndpoints } from '@saddle/contract/riding/rides.ts'
import type { Audit } from '#audit/public.ts'
import type { Finance, RideInvoicing } from '#finance/public.ts'
import type { Fleet } from '#fleet/public.ts'
import type { Geography } from '#geography/public.ts'
import type { AppCall, Handlers } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Scope } from '#kit/db/scope.ts'
import { createPhotos } from '#photos/public.ts'
import type { RiderEvents, Riders } from '#rider/public.ts'
import { addApp, findApp } from './apps/store.ts'
import { ridesThatDisagree } from './reconcile/reconcile.ts'
import { refuseToLeave } from './charges/leaving.ts'
import { onRidePaid } from './charges/paid.ts'
import { createRiderHandlers } from './rides/handlers.ts'
import { startSweeping } from './rides/sweeping.ts'
import { sweepRides } from './rides/turns.ts'
import { createOrderHandlers } from './orders/handlers.ts'
import { createRideInvoicing } from './orders/invoicing.ts'
import { createRideEvents } from './orders/ofRider.ts'
import { tryBenefitOnPast, type BenefitTrial } from './prices/benefitTrial.ts'
import { createCardPreviewHandlers } from './cardPreview/handlers.ts'
import { createPriceHandlers } from './prices/handlers.ts'
import { createRefundHandlers } from './refunds/handlers.ts'
import { createEffectHandlers } from './returns/effect.ts'
import { createReturnHandlers } from './returns/handlers.ts'

export { orderNumber, readOrderNumber } from './orders/rules.ts'

export { selectInForce as selectPriceInForce, versionOf as priceVersionOf } from './prices/store.ts'
export { reconcileRides, reconciliationLine, type Reconciliation } from './reconcile/reconcile.ts'

export type RidingEndpoints = typeof orderEndpoints &
  typeof priceEndpoints &
  typeof cardPreviewEndpoints &
  typeof refundEndpoints &
  typeof returnEndpoints &
  Pick<typeof fenceManageEndpoints, 'fenceEffect'> &
  typeof rideEndpoints

export type Riding = {
  readonly handlers: Handlers<RidingEndpoints>
  /** The rides of a rider as moments of their life. */
  readonly riderEvents: RiderEvents
  /** What rides can be invoiced for. */
  readonly invoicing: RideInvoicing
  /** What one more benefit would have done to the rides of the last weeks. */
  tryBenefit(scope: Scope, trial: BenefitTrial): ReturnType<typeof tryBenefitOnPast>
  /** The application of riders that holds this key and is enabled; null when there is none. */
  appOfKey(key: string): Promise<AppCall['app'] | null>
  /** Adds an application of a franchisee, or gives it a new key; the key is shown only this once. */
  addApp(tx: Tx, app: { readonly agentId: number; readonly name: string }): Promise<string>
  /** Takes on every ride for which something may have happened. For the worker; safe on several at once. */
  sweep(): Promise<number>
  /** Does that now and again and again, and at once when a command is over; returns what ends it. */
  startBackground(): () => Promise<void>
}

type Others = {
  readonly audit: Audit
  readonly fleet: Fleet
  readonly geography: Geography
  readonly riders: Riders
  readonly finance: Pick<Finance, 'ledger' | 'gifts' | 'payments' | 'benefits' | 'deposits' | 'books' | 'secondPerson'>
}

/** Rides as orders: their life, what they cost and why, and giving money back. */
export function createRiding(kit: Kit, others: Others): Riding {
  const { ledger, gifts, payments, benefits, deposits, secondPerson } = others.finance
  payments.serve('ride', onRidePaid({ ledger, gifts }))
  deposits.guardTakeBack(refuseToLeave)
  others.finance.books.hold('rides', () => ridesThatDisagree(kit.db))
  const parts = {
    kit,
    photos: createPhotos(kit),
    ...others,
    ledger,
    gifts,
    payments,
    benefits,
    deposits,
    secondPerson,
  }
  const refunds = createRefundHandlers(parts)
  const { input: refundInput } = refundEndpoints.refundOrder
  secondPerson.serve('order_refund', (input, call) => refunds.refundOrder(refundInput.parse(input), call))
  return {
    handlers: {
      ...createOrderHandlers(parts),
      ...createPriceHandlers(parts),
      ...createCardPreviewHandlers(parts),
      ...refunds,
      ...createReturnHandlers(parts),
      ...createEffectHandlers(parts),
      ...createRiderHandlers(parts),
    },
    riderEvents: createRideEvents(kit),
    invoicing: createRideInvoicing(kit, ledger),
    tryBenefit: (scope, trial) => tryBenefitOnPast(kit, scope, trial),
    appOfKey: (key) => findApp(kit, key),
    addApp: (tx, app) => addApp(kit, tx, app),
    sweep: () => sweepRides(parts),
    startBackground: () => startSweeping(parts),
  }
}
