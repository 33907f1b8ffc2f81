import { financialStatusActive } from '@saddle/contract/constants.ts'
import type { FinancialAccount, PaymentPasswordCallType } from '@saddle/contract/finance/account.ts'

/** A payment password exists once the account is active and the provider has given it a level (section 6). */
export function hasPaymentPassword(account: Pick<FinancialAccount, 'status' | 'accountLevel'>): boolean {
  return account.status === financialStatusActive && account.accountLevel !== null
}

/** The B variants are those of companies: the type of the account decides, whatever the client asked for. */
export function callTypeFor(options: {
  accountType: FinancialAccount['accountType']
  asked: PaymentPasswordCallType
}): PaymentPasswordCallType {
  const isForgotten = options.asked.endsWith('PWDFORGET')
  if (options.accountType === 'company') return isForgotten ? 'B_PWDFORGET' : 'B_PWDMODIFY'
  return isForgotten ? 'PWDFORGET' : 'PWDMODIFY'
}
