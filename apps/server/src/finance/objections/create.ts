import type { objectionEndpoints } from '@saddle/contract/finance/objections.ts'
import type { Audit } from '#audit/public.ts'
import type { Handlers } from '#kit/call.ts'
import type { Kit } from '#kit/kit.ts'
import type { Photos } from '#photos/public.ts'
import type { Ledger } from '../ledger/ledger.ts'
import { createObjectionHandlers } from './handlers.ts'

export type Objections = { readonly handlers: Handlers<typeof objectionEndpoints> }

/** What companies dispute of their bills. */
export function createObjections(
  kit: Kit,
  others: { readonly audit: Audit; readonly photos: Photos; readonly finance: { readonly ledger: Ledger } },
): Objections {
  const { audit, photos, finance } = others
  return { handlers: createObjectionHandlers({ kit, audit, photos, ledger: finance.ledger }) }
}
