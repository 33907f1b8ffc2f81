import { exportsKeyed } from '#exports/public.ts'
import { feedsKeyed } from '#feeds/public.ts'
import { financeKeyed } from '#finance/public.ts'
import { identityKeyed } from '#identity/public.ts'
import type { KeyedValues } from '#kit/keyed.ts'
import { noticesKeyed } from '#notices/public.ts'
import { organisationKeyed } from '#organisation/public.ts'
import { partnersKeyed } from '#partners/public.ts'
import { photosKeyed } from '#photos/public.ts'
import { riderKeyed } from '#rider/public.ts'
import { keptDevicePurposes } from '#telemetry/public.ts'

const domains = [
  identityKeyed,
  organisationKeyed,
  noticesKeyed,
  riderKeyed,
  financeKeyed,
  photosKeyed,
  exportsKeyed,
  feedsKeyed,
  partnersKeyed,
]

/** Everything that is kept under the master secret. */
export const keyedValues: KeyedValues = {
  tables: domains.flatMap(({ tables }) => tables),
  keptPurposes: [...domains.flatMap(({ keptPurposes }) => keptPurposes), ...keptDevicePurposes],
}
