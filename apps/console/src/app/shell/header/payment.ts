import { financialStatusActive } from '@saddle/contract/constants.ts'
import type { FinancialAccount, PaymentPasswordCallType } from '@saddle/contract/finance/account.ts'

/** The calls behind the two links; null when they are not shown (section 6). A company uses the B variants. */
export function paymentPasswordCalls(
  account: Pick<FinancialAccount, 'status' | 'accountLevel' | 'accountType'> | null,
): { readonly modify: PaymentPasswordCallType; readonly reset: PaymentPasswordCallType } | null {
  if (account === null || account.status !== financialStatusActive || account.accountLevel === null) return null
  return account.accountType === 'company'
    ? { modify: 'B_PWDMODIFY', reset: 'B_PWDFORGET' }
    : { modify: 'PWDMODIFY', reset: 'PWDFORGET' }
}

/** Only a web address is opened, whatever the call answers. */
export function isWebAddress(url: string): boolean {
  return URL.canParse(url) && ['https:', 'http:'].includes(new URL(url).protocol)
}
