import type { BillLine, ServiceBillState } from '@saddle/contract/finance/serviceBills.ts'
import { t } from '#kit/i18n/index.ts'
import type { Tone } from '#kit/ui/Mark.tsx'

export const billsPath = '/financial/billDetails'

export const billTones: Readonly<Record<ServiceBillState, Tone>> = {
  unpaid: 'warn',
  held: 'bad',
  paid: 'good',
  free: 'off',
}

/** The area of a line; one that this person may not see is told by its number. */
export const areaText = ({ area, areaId }: Pick<BillLine, 'area' | 'areaId'>): string =>
  area ?? (areaId === null ? t('不分服务区') : `#${areaId}`)
