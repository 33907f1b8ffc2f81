import type { ReactNode } from 'react'
import { depositStateLabels, type DepositState } from '@saddle/contract/finance/deposits.ts'
import { refundStateLabels, type RefundState } from '@saddle/contract/finance/refunds.ts'
import { t } from '#kit/i18n/index.ts'
import { Mark } from '#kit/ui/Mark.tsx'

const refundTones = { waiting: 'info', done: 'good', failed: 'bad', returned: 'off' } as const
const depositTones = { held: 'good', frozen: 'warn', over: 'off' } as const

export function RefundMark({ state }: { state: RefundState }): ReactNode {
  return <Mark tone={refundTones[state]}>{t(refundStateLabels[state])}</Mark>
}

export function DepositMark({ state }: { state: DepositState }): ReactNode {
  return <Mark tone={depositTones[state]}>{t(depositStateLabels[state])}</Mark>
}
