import type { ReactNode } from 'react'
import { orderStateLabels, type OrderState } from '@saddle/contract/riding/orders.ts'
import { t } from '#kit/i18n/index.ts'
import { Mark, type Tone } from './Mark.tsx'

const tones: Readonly<Record<OrderState, Tone>> = {
  reserved: 'info',
  unlocking: 'info',
  riding: 'info',
  paused: 'info',
  returning: 'info',
  cancelled: 'off',
  failed: 'bad',
  due: 'warn',
  paid: 'good',
  part_refunded: 'warn',
  refunded: 'off',
}

export function OrderMark({ state }: { state: OrderState }): ReactNode {
  return <Mark tone={tones[state]}>{t(orderStateLabels[state])}</Mark>
}
