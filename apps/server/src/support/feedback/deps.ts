import type { Audit } from '#audit/public.ts'
import type { Kit } from '#kit/kit.ts'
import type { Photos } from '#photos/public.ts'

/** Dependencies of feedback tickets. */
export interface FeedbackDeps {
  readonly kit: Pick<Kit, 'db' | 'clock' | 'random' | 'log'>
  readonly audit: Audit
  readonly photos: Pick<Photos, 'keep' | 'read'>
}
