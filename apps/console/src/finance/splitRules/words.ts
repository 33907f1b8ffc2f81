import type { Endpoint } from '@saddle/contract/endpoint.ts'
import { splitBillEndpoints } from '@saddle/contract/finance/splitBills.ts'
import { splitRuleEndpoints, type SplitPlace } from '@saddle/contract/finance/splitRules.ts'
import { termChangeEndpoints } from '@saddle/contract/finance/termChanges.ts'
import type { SplitShare } from '@saddle/contract/finance/splitTerms.ts'
import { money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'

export const allRulesPath = '/financial/SubAccountRule'

/** What shows terms, reserves or what they lead to. */
export const staleRules: readonly Endpoint[] = [
  splitRuleEndpoints.listSplitTerms,
  splitRuleEndpoints.listSplitPlaces,
  splitBillEndpoints.splitTotals,
  termChangeEndpoints.listTermChanges,
]

export const percentOf = (basisPoints: number): string => `${basisPoints / 100}%`

export const shareText = (share: SplitShare): string =>
  share.of === 'ride' ? t('每笔 {{yuan}} 元', { yuan: money(share.cents) }) : percentOf(share.basisPoints)

/** The company, or one of its areas. */
export const placeText = ({ company, areaName }: Pick<SplitPlace, 'company' | 'areaName'>): string =>
  areaName === null ? t('{{company}} · 全部服务区', { company }) : `${company} · ${areaName}`

export const placeKey = ({ agentId, areaId }: Pick<SplitPlace, 'agentId' | 'areaId'>): string =>
  areaId === null ? String(agentId) : `${agentId}/${areaId}`

export const stateTones = { current: 'good', coming: 'info', past: 'off', replaced: 'off' } as const
