import type { Audit } from '#audit/public.ts'
import type { Fleet } from '#fleet/public.ts'
import type { Kit } from '#kit/kit.ts'
import type { Signers } from './artefacts/signers.ts'

export type ProductionDeps = {
  readonly kit: Kit
  readonly audit: Audit
  readonly fleet: Pick<Fleet, 'turnVehicles'>
  readonly signers: Signers
}
