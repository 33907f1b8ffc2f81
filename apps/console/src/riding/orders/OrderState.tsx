import { orderStateLabels, type OrderState as State } from '@saddle/contract/riding/orders.ts'
import { t } from '#kit/i18n/index.ts'
import './orders.css'

const tones: Readonly<Record<State, 'info' | 'good' | 'warn' | 'bad' | 'off'>> = {
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

/** The state in words; its colour only repeats them. */
export function OrderState({ state }: { state: State }) {
  return (
    <span className="order-state" data-tone={tones[state]}>
      {t(orderStateLabels[state])}
    </span>
  )
}
