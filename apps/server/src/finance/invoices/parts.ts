import type { Audit } from '#audit/public.ts'
import type { Kit } from '#kit/kit.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Photos } from '#photos/public.ts'

/** What a channel was paid for a ride and has not given back. */
export type PaidRide = { readonly id: number; readonly number: string; readonly at: number; readonly cents: number }

/** The domain that knows rides; it builds on this one and is not imported. */
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

/** Those who ride, as far as an invoice is for one of them; whoever knows them builds on this domain. */
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
