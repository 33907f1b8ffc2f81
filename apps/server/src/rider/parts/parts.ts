import type { Audit } from '#audit/public.ts'
import type { Kit } from '#kit/kit.ts'
import type { Photos } from '#photos/public.ts'
import type { Riders } from '../people/riders.ts'
import type { Seals } from '../people/seals.ts'

/** What everything about riders works with. */
export type RiderParts = {
  readonly kit: Pick<Kit, 'db' | 'clock' | 'random' | 'log' | 'secrets'>
  readonly audit: Audit
  readonly photos: Photos
  readonly riders: Riders
  readonly seals: Seals
}
