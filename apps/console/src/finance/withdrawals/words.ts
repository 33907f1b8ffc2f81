import { bankAccountEndpoints } from '@saddle/contract/finance/accounts.ts'
import { withdrawalEndpoints, type WithdrawalState } from '@saddle/contract/finance/withdrawals.ts'
import type { Tone } from '#kit/ui/Mark.tsx'

export const withdrawalTones: Readonly<Record<WithdrawalState, Tone>> = {
  authorising: 'warn',
  waiting: 'warn',
  queued: 'info',
  sent: 'info',
  unknown: 'warn',
  paid: 'good',
  returned: 'bad',
  reversed: 'bad',
  conflict: 'bad',
  cancelled: 'off',
  expired: 'off',
}

/** Readings that a step of a withdrawal makes stale. */
export const staleWithdrawals = [
  withdrawalEndpoints.listWithdrawals,
  withdrawalEndpoints.sumWithdrawals,
  withdrawalEndpoints.withdrawalDetail,
  bankAccountEndpoints.bankBalance,
]
