import type { ReactNode } from 'react'
import type { OrderFilter } from '@saddle/contract/riding/orders.ts'
import { t } from '#kit/i18n/index.ts'
import { Keyword } from '#kit/list/FilterBar.tsx'
import { keywordOf, readKeyword } from './question.ts'

type Part = Pick<OrderFilter, 'phone' | 'number' | 'vehicleNumber'>

interface Props {
  readonly filter: Part
  readonly onChange: (part: Record<keyof Part, string | undefined>) => void
}

/** Which ride: by its rider's phone, by its order or by its vehicle. */
export function OrderKeyword({ filter, onChange }: Props): ReactNode {
  return (
    <Keyword
      label={t('手机号、订单编号或车辆编号')}
      value={keywordOf(filter)}
      onChange={(text) =>
        onChange({ phone: undefined, number: undefined, vehicleNumber: undefined, ...readKeyword(text) })
      }
    />
  )
}
