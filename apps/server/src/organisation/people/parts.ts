import type { Audit } from '#audit/public.ts'
import type { Finance } from '#finance/public.ts'
import type { Identity } from '#identity/public.ts'
import type { Kit } from '#kit/kit.ts'

/** What the administration of people and roles works with. */
export interface PeopleParts {
  readonly kit: Pick<Kit, 'db' | 'clock' | 'secrets' | 'random'>
  readonly audit: Audit
  readonly finance: Pick<Finance, 'accountStatus'>
  readonly identity: Pick<Identity, 'accessChanged' | 'createOperator' | 'operators'>
}
