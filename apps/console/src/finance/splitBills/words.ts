import type { SplitBill } from '@saddle/contract/finance/splitBills.ts'
import { businessDayEnd, businessDayStart } from '@saddle/contract/time.ts'
import { t } from '#kit/i18n/index.ts'

export const splitPath = '/financial/SplitBill'

export const billTones = { in_transit: 'info', held: 'warn', settled: 'good' } as const

/** The address of the bills that meet some conditions. */
export const billsPath = (filter: object): string => `${splitPath}?filter=${encodeURIComponent(JSON.stringify(filter))}`

/** The conditions of a day. */
export const ofDay = (day: string) => ({ from: businessDayStart(day), to: businessDayEnd(day) })

export const areaText = ({ areaName }: Pick<SplitBill, 'areaName'>): string => areaName ?? t('不属于服务区的收入')
