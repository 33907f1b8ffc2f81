import type { DepositArea } from '@saddle/contract/finance/depositSettings.ts'
import { depositSettingEndpoints } from '@saddle/contract/finance/depositSettings.ts'
import { money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'

/** Readings that a new setting makes stale. */
export const staleSettings = [
  depositSettingEndpoints.listDepositAreas,
  depositSettingEndpoints.depositSettings,
  depositSettingEndpoints.depositHistory,
]

type Terms = Pick<DepositArea, 'cents' | 'freeStudents' | 'freeProfessions' | 'freeCardHolders' | 'freeProductIds'>

/** Whom a setting exempts; none where nothing is asked for. */
export function exemptText({ freeStudents, freeProfessions, freeCardHolders, freeProductIds }: Terms): string {
  const free = [
    ...(freeStudents ? [t('学生认证')] : []),
    ...(freeProfessions ? [t('职业认证')] : []),
    ...(freeCardHolders
      ? [freeProductIds.length === 0 ? t('持骑行卡') : t('持 {{count}} 种会员卡', { count: freeProductIds.length })]
      : []),
  ]
  return free.length === 0 ? t('无') : free.join(t('、'))
}

export const depositText = (terms: Terms): string =>
  terms.cents === 0 ? t('免押金') : t('押金 {{yuan}} 元', { yuan: money(terms.cents) })
