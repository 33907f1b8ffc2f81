import type { Audit } from '#audit/public.ts'
import type { Kit } from '#kit/kit.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Photos } from '#photos/public.ts'

/** A ride that a channel was paid for, with the amount that was not refunded. */
export type PaidRide = { readonly id: number; readonly number: string; readonly at: number; readonly cents: number }

/** The domain of rides. It depends on this domain, so it is not imported here. */
export type RideInvoicing = {
  /** The rides of a rider that a channel was paid for since then, newest first. */
  ofRider(asked: {
    readonly agentId: number
    readonly riderId: number
    readonly since: number
    readonly limit: number
  }): Promise<readonly PaidRide[]>
  /** What is still paid of orders of a franchisee by a channel, by the order's id. */
  paidCents(asked: {
    readonly agentId: number
    readonly orderIds: readonly number[]
  }): Promise<ReadonlyMap<number, number>>
}

/** Riders, as far as invoices need them; the domain of riders depends on this one. */
export type InvoicedRiders = {
  idsByPhone(scope: Scope, phone: string): Promise<number[]>
  hasPhone(row: { readonly phone_hash: string }, phone: string): boolean
  maskedPhone(row: { readonly phone_sealed: string; readonly phone_hash: string }): string
}

export type InvoiceParts = {
  readonly kit: Pick<Kit, 'db' | 'clock' | 'random' | 'secrets'>
  readonly audit: Audit
  readonly riders: InvoicedRiders
  readonly photos: Pick<Photos, 'keep' | 'read'>
  readonly rides: RideInvoicing
}
