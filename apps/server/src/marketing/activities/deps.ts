import type { Audit } from '#audit/public.ts'
import type { Kit } from '#kit/kit.ts'

/** What the handlers of activities work with. */
export type ActivityDeps = {
  readonly kit: Pick<Kit, 'db' | 'clock' | 'random'>
  readonly audit: Audit
}
