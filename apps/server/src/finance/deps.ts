import type { Audit } from '#audit/public.ts'
import type { Kit } from '#kit/kit.ts'
import type { Gifts } from './gifts/gifts.ts'
import type { Ledger } from './ledger/ledger.ts'
import type { Payments } from './payments/payments.ts'
import type { Recharges } from './recharges/recharges.ts'
import type { SecondPerson } from './secondPerson/secondPerson.ts'
import type { RiderDirectory } from './wallet/who.ts'

/** Dependencies of the handlers for riders' money. */
export interface MoneyDeps {
  readonly kit: Kit
  readonly audit: Audit
  readonly riders: RiderDirectory
  readonly ledger: Ledger
  readonly gifts: Gifts
  readonly payments: Payments
  readonly recharges: Pick<Recharges, 'openGifts'>
  readonly secondPerson: SecondPerson
}
