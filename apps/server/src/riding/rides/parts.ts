import type { Benefits, Deposits, Gifts, Ledger, Payments } from '#finance/public.ts'
import type { Fleet } from '#fleet/public.ts'
import type { Geography } from '#geography/public.ts'
import type { Kit } from '#kit/kit.ts'
import type { Photos } from '#photos/public.ts'
import type { Riders } from '#rider/public.ts'

/** Dependencies of the ride life cycle. */
export type LifeParts = {
  readonly kit: Pick<Kit, 'db' | 'clock' | 'bus' | 'log'>
  readonly riders: Pick<Riders, 'ensure' | 'hasPhone' | 'idsByPhone' | 'isBarred' | 'noteActive'>
  readonly fleet: Pick<Fleet, 'queueCommand' | 'turnReservation'>
  readonly geography: Pick<Geography, 'current' | 'weather'>
  readonly ledger: Ledger
  readonly gifts: Pick<Gifts, 'held' | 'use'>
  readonly payments: Pick<Payments, 'start'>
  readonly benefits: Pick<Benefits, 'held' | 'use'>
  readonly deposits: Pick<Deposits, 'needOf'>
  readonly photos: Pick<Photos, 'keep'>
}
