import type { HeldReason, SplitBill } from '@saddle/contract/finance/splitBills.ts'
import { paymentChannelLabels } from '@saddle/contract/finance/payments.ts'
import { entryKinds, type EntryKind } from '@saddle/contract/finance/ledger.ts'
import { businessDayEnd, businessDayStart } from '@saddle/contract/time.ts'
import { money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'

export const splitPath = '/financial/SplitBill'

export const billTones = { in_transit: 'info', held: 'warn', settled: 'good' } as const

/** The address of the bills that meet some conditions. */
export const billsPath = (filter: object): string => `${splitPath}?filter=${encodeURIComponent(JSON.stringify(filter))}`

/** The conditions of a day. */
export const ofDay = (day: string) => ({ from: businessDayStart(day), to: businessDayEnd(day) })

export const areaText = ({ areaName }: Pick<SplitBill, 'areaName'>): string => areaName ?? t('不属于服务区的收入')

export const kindText = (kind: string): string => t(entryKinds[kind as EntryKind] ?? kind)

/** Why income of a day is held, in a sentence. */
export const heldText = (reason: HeldReason): string =>
  reason.code === 'objection'
    ? t('异议 {{ids}} 争议 {{yuan}} 元', { ids: reason.ids.join(t('、')), yuan: money(reason.cents) })
    : t('{{channel}}账单有 {{count}} 笔差异，暂缓 {{yuan}} 元', {
        channel: t(paymentChannelLabels[reason.channel]),
        count: reason.count,
        yuan: money(reason.cents),
      })

/** The lines of an order: how it was divided, and where its money is. */
export const linesPath = (orderId: number): string =>
  `${splitPath}?view=lines&filter=${encodeURIComponent(JSON.stringify({ orderId }))}`

/** The versions of the company: an area without terms of its own has those. */
export const rulesPath = (agentId: number): string =>
  `/financial/SubAccountRule?filter=${encodeURIComponent(JSON.stringify({ agentIds: [agentId] }))}`
