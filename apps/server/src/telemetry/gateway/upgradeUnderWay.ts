import type { Transfer } from '#production/public.ts'
import type { createBucket } from './limits.ts'

/** An upgrade on one connection. What must outlive the connection is in the database. */
export type UpgradeUnderWay = {
  readonly transfer: Transfer
  readonly bucket: ReturnType<typeof createBucket>
  /** The package that was sent last, over any connection; -1 before the first. */
  lastSent: number
  /** A package that waits for its turn, because the device asks faster than it is sent to. */
  waiting: number | null
  sentAt: number
  tries: number
}
