import { bankAccountEndpoints } from '@saddle/contract/finance/accounts.ts'
import {
  withdrawalEndpoints,
  type WithdrawalState,
  type WithdrawalTerms,
} from '@saddle/contract/finance/withdrawals.ts'
import { money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
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

/** On which terms a company withdraws. */
export const withdrawalTermsText = (terms: WithdrawalTerms): string =>
  [
    terms.isAllowed ? t('允许提现') : t('暂停提现'),
    t('最低 {{yuan}} 元', { yuan: money(terms.minCents) }),
    t('单日 {{yuan}} 元', { yuan: money(terms.dailyCents) }),
    t('每笔手续费 {{yuan}} 元', { yuan: money(terms.feeCents) }),
    t('单人每日 {{yuan}} 元以上需复核', { yuan: money(terms.secondCents) }),
  ].join(t('，'))
