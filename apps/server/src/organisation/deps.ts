import type { Audit } from '#audit/public.ts'
import type { Geography } from '#geography/public.ts'
import type { Identity } from '#identity/public.ts'
import type { Kit } from '#kit/kit.ts'
import type { Photos } from '#photos/public.ts'

/** What the office that opens and changes franchises works with. */
export interface CompanyDeps {
  readonly kit: Kit
  readonly audit: Audit
  readonly identity: Pick<Identity, 'createOperator' | 'accessChanged' | 'approveOwnDevice' | 'operators'>
  readonly photos: Photos
  readonly geography: Pick<Geography, 'recordBoundary' | 'dropBoundaries'>
}
