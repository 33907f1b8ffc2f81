import type { Audit } from '#audit/public.ts'
import type { Kit } from '#kit/kit.ts'
import type { Photos } from '#photos/public.ts'
import type { Riders } from '#rider/public.ts'

/** What the handlers of help, telephone lines and placements work with. */
export type ContentDeps = {
  readonly kit: Pick<Kit, 'db' | 'clock' | 'random'>
  readonly audit: Audit
  readonly photos: Pick<Photos, 'keep' | 'share' | 'read' | 'sizeOf'>
  readonly riders: Pick<Riders, 'ensure' | 'idsByPhone' | 'maskedPhone'>
}
