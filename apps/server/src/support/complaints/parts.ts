import type { Audit } from '#audit/public.ts'
import type { Kit } from '#kit/kit.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Photos } from '#photos/public.ts'
import type { Riders } from '#rider/public.ts'

/** What a rider says is broken about a vehicle. */
export type ReportedFault = { readonly vehicleId: number; readonly note: string; readonly at: number }

/** What tickets work with. */
export type ComplaintParts = {
  readonly kit: Pick<Kit, 'db' | 'clock' | 'random' | 'log'>
  readonly audit: Audit
  readonly riders: Pick<Riders, 'idsByPhone' | 'ensure' | 'hasPhone' | 'maskedPhone'>
  readonly photos: Pick<Photos, 'keep' | 'read'>
  /** Lets somebody look after a vehicle, in the caller's transaction of the system; once, however often it is reported. */
  readonly reportFault: (tx: Tx, fault: ReportedFault) => Promise<void>
}
