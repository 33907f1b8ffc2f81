import type { Audit } from '#audit/public.ts'
import type { Kit } from '#kit/kit.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Photos } from '#photos/public.ts'
import type { Riders } from '#rider/public.ts'

/** A fault that a rider reports about a vehicle. */
export type ReportedFault = { readonly vehicleId: number; readonly note: string; readonly at: number }

/** Dependencies of tickets. */
export type TicketParts = {
  readonly kit: Pick<Kit, 'db' | 'clock' | 'random' | 'log'>
  readonly audit: Audit
  readonly riders: Pick<Riders, 'idsByPhone' | 'ensure' | 'hasPhone' | 'maskedPhone'>
  readonly photos: Pick<Photos, 'keep' | 'read'>
  /** Creates a repair task for a vehicle in the caller's system transaction; once, also when reported repeatedly. */
  readonly reportFault: (tx: Tx, fault: ReportedFault) => Promise<void>
}
