import type { FenceEffect } from '@saddle/contract/geography/manage.ts'
import { returnKinds } from '@saddle/contract/riding/price.ts'
import { t } from '#kit/i18n/index.ts'
import { number } from '#kit/number.ts'

/** How many returns the change would have decided otherwise, one sentence per way. */
export function returnOutcomes({ before, after, refused, charged, better }: FenceEffect): string[] {
  const counts = [
    ...(refused > 0 ? [t('{{count}} 次会被拒绝还车', { count: number(refused) })] : []),
    ...(charged > 0 ? [t('{{count}} 次会由免费变为收费', { count: number(charged) })] : []),
    ...(better > 0 ? [t('{{count}} 次会由收费变为免费', { count: number(better) })] : []),
  ]
  const moved = returnKinds.reduce((sum, kind) => sum + Math.max(0, before[kind] - after[kind]), 0)
  return counts.length === 0 && moved > 0
    ? [t('{{count}} 次的判定会改变，收费与否不变', { count: number(moved) })]
    : counts
}
