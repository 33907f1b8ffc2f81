import { bankAccountEndpoints, type BankCardState } from '@saddle/contract/finance/accounts.ts'
import type { Tone } from '#kit/ui/Mark.tsx'

export const staleAccounts = [
  bankAccountEndpoints.listCompanyAccounts,
  bankAccountEndpoints.sumCompanyAccounts,
  bankAccountEndpoints.companyAccount,
  bankAccountEndpoints.companySubAccounts,
]

export const statusName = (status: number | null): string => (status === null ? 'none' : String(status))

const tones: Readonly<Record<string, Tone>> = { none: 'off', '0': 'warn', '1': 'info', '2': 'good', '3': 'bad' }
export const statusTone = (status: number | null): Tone => tones[statusName(status)] ?? 'off'

export const cardTones: Readonly<Record<BankCardState, Tone>> = {
  checking: 'warn',
  bound: 'good',
  unbinding: 'warn',
  unbound: 'off',
  refused: 'bad',
}
