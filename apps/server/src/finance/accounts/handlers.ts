import type { bankAccountEndpoints } from '@saddle/contract/finance/accounts.ts'
import type { Handlers } from '#kit/call.ts'
import { createCardHandlers } from './cards.ts'
import { createAccountLists } from './list.ts'
import { createOpeningHandlers, type AccountHandlerDeps } from './opening.ts'

/** Accounts of companies with the bank: opening, cards, sub-accounts and what is in them. */
export function createBankAccountHandlers(deps: AccountHandlerDeps): Handlers<typeof bankAccountEndpoints> {
  return { ...createOpeningHandlers(deps), ...createCardHandlers(deps), ...createAccountLists(deps) }
}
