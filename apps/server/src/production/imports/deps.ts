import type { Audit } from '#audit/public.ts'
import type { Fleet } from '#fleet/public.ts'
import type { Kit } from '#kit/kit.ts'

export type ImportDeps = {
  readonly kit: Kit
  readonly audit: Audit
  readonly fleet: Pick<Fleet, 'vehicles' | 'turnVehicles'>
}
