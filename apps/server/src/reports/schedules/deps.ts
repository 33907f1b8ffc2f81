import type { Audit } from '#audit/public.ts'
import type { Exports } from '#exports/public.ts'
import type { Caller } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Kit } from '#kit/kit.ts'

/** What a receiver is told of: that their file is made, or that it is not. */
export interface DeliveryNotice {
  readonly isReady: boolean
  readonly agentId: number
  readonly operatorId: number
  /** Names the delivery. */
  readonly key: string
  readonly name: string
  readonly from: string
  readonly to: string
  readonly at: Date
}

export interface ScheduleDeps {
  readonly kit: Pick<Kit, 'db' | 'clock' | 'log' | 'random'>
  readonly audit: Audit
  readonly exports: Pick<Exports, 'queue'>
  /** What an operator may do and see now; null when they may not log in. */
  readonly accessOf: (operatorId: number) => Promise<{ readonly caller: Caller; readonly grant: Scope } | null>
  /** Tells a receiver, in the transaction that ends the delivery. */
  readonly tell: (tx: Tx, notice: DeliveryNotice) => Promise<void>
}
