import type { Audit } from '#audit/public.ts'
import type { Kit } from '#kit/kit.ts'
import type { Ledger } from '../ledger/ledger.ts'

export interface ObjectionDeps {
  readonly kit: Pick<Kit, 'db' | 'clock' | 'random' | 'log'>
  readonly audit: Audit
  readonly ledger: Ledger
}

export interface Person {
  readonly id: number | null
  readonly name: string
}
