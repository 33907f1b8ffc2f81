import type { SplitBill } from '@saddle/contract/finance/splitBills.ts'
import { entryKinds, type EntryKind } from '@saddle/contract/finance/ledger.ts'
import { businessDayEnd, businessDayStart } from '@saddle/contract/time.ts'
import { t } from '#kit/i18n/index.ts'

export const splitPath = '/financial/SplitBill'

export const billTones = { in_transit: 'info', held: 'warn', settled: 'good' } as const

/** The address of the bills that meet some conditions. */
export const billsPath = (filter: object): string => `${splitPath}?filter=${encodeURIComponent(JSON.stringify(filter))}`

/** The conditions of a day. */
export const ofDay = (day: string) => ({ from: businessDayStart(day), to: businessDayEnd(day) })

export const areaText = ({ areaName }: Pick<SplitBill, 'areaName'>): string => areaName ?? t('不属于服务区的收入')

export const kindText = (kind: string): string => t(entryKinds[kind as EntryKind] ?? kind)

/** The lines of an order: how it was divided, and where its money is. */
export const linesPath = (orderId: number): string =>
  `${splitPath}?view=lines&filter=${encodeURIComponent(JSON.stringify({ orderId }))}`

/** The versions of the company: an area without terms of its own has those. */
export const rulesPath = (agentId: number): string =>
  `/financial/SubAccountRule?filter=${encodeURIComponent(JSON.stringify({ agentIds: [agentId] }))}`
