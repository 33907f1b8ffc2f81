import { useState, type ReactNode } from 'react'
import { activityPreviewWeeks, type ActivityPreview } from '@saddle/contract/marketing/activities.ts'
import { couponEndpoints } from '@saddle/contract/marketing/coupons.ts'
import type { CouponTerms } from '@saddle/contract/marketing/couponTerms.ts'
import { skipReasonLabels } from '@saddle/contract/riding/benefits.ts'
import { priceEndpoints } from '@saddle/contract/riding/prices.ts'
import type { AnswerOf } from '#kit/api/client.ts'
import { useAction } from '#kit/action/useAction.ts'
import { serverNow } from '#kit/clock.ts'
import type { Option } from '#kit/form/choiceFields.tsx'
import { money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { PreviewResult } from '../activities/PastWeeks.tsx'
import { PhoneCard, PhoneFrame } from '#kit/ui/PhoneFrame.tsx'
import { SelectOne } from '#kit/ui/SelectOne.tsx'
import { conditionLines } from '../benefits/words.ts'
import { effectText, validText } from './words.ts'

interface Props {
  readonly agentId: number
  /** Null while they are not whole. */
  readonly terms: CouponTerms | null
  readonly areas: readonly Option<number>[]
}

/** The ride that a coupon is tried on. */
const sample = { minutes: 40, distanceM: 5_000, returnKind: 'in_place', model: null, weather: 'fair' } as const

/** The coupon as a rider sees it on a phone, what it takes off a ride, and what it would have taken off past rides. */
export function CouponPreview({ agentId, terms, areas }: Props): ReactNode {
  return (
    <aside className="activity-aside" aria-label={t('预览')}>
      <PhoneFrame title={t('我的优惠券')}>
        {terms === null ? <p>{t('填写后在此预览')}</p> : <OnPhone terms={terms} areas={areas} />}
      </PhoneFrame>
      {terms !== null && <Trial terms={terms} areas={areas} />}
      {terms !== null && <Past key={JSON.stringify([agentId, terms])} agentId={agentId} terms={terms} />}
    </aside>
  )
}

function OnPhone({ terms, areas }: Pick<Props, 'areas'> & { readonly terms: CouponTerms }) {
  const { areaIds } = terms.conditions
  const named = areas.filter(({ value }) => areaIds.includes(value)).map(({ label }) => label)
  return (
    <PhoneCard
      title={terms.name}
      lines={[
        ...(named.length === 0 ? [] : [t('适用：{{areas}}', { areas: named.join(t('、')) })]),
        ...conditionLines(terms),
        validText(terms),
        ...(terms.alone ? [t('不与其他优惠同享')] : []),
      ]}
      aside={effectText(terms)}
    />
  )
}

function Trial({ terms, areas }: { terms: CouponTerms; areas: Props['areas'] }) {
  const [areaId, setAreaId] = useState(areas[0]?.value ?? 0)
  const [answer, setAnswer] = useState<AnswerOf<typeof priceEndpoints.tryBenefit>['data'] | null>(null)
  const trial = useAction(priceEndpoints.tryBenefit, { onDone: ({ data }) => setAnswer(data) })
  const { name, effect, fromCents, conditions, bearer, alone } = terms
  const benefit = { kind: 'coupon', id: 0, name, effect, fromCents, conditions, bearer, alone } as const
  return (
    <div className="coupon-trial">
      <label>
        {t('试算服务区')}{' '}
        <SelectOne label={t('试算服务区')} value={areaId} options={areas} onChange={setAreaId} isSearched />
      </label>
      <Button
        busy={trial.isBusy}
        onClick={() => trial.send({ benefit, ride: { ...sample, areaId, startedAt: serverNow() } })}
      >
        {t('按骑行 40 分钟、5 公里试算')}
      </Button>
      {answer !== null && (
        <output>
          {t('原价 {{plain}} 元，用券后 {{total}} 元', {
            plain: money(answer.plainCents),
            total: money(answer.totalCents),
          })}
          {answer.skipped.map(({ why }) => ` · ${t(skipReasonLabels[why])}`)}
        </output>
      )}
    </div>
  )
}

function Past({ agentId, terms }: { readonly agentId: number; readonly terms: CouponTerms }) {
  const [preview, setPreview] = useState<ActivityPreview | null>(null)
  const trial = useAction(couponEndpoints.previewCoupon, { onDone: ({ data }) => setPreview(data) })
  return (
    <section className="activity-past" aria-label={t('历史试算')}>
      <p>{t('按过去几周的真实骑行试算，每位用户持有一张，不影响任何用户')}</p>
      <p className="form-choices">
        {activityPreviewWeeks.map((weeks) => (
          <Button
            key={weeks}
            aria-pressed={preview?.weeks === weeks}
            busy={trial.isBusy}
            onClick={() => trial.send({ agentId, terms, weeks })}
          >
            {t('过去 {{count}} 周', { count: weeks })}
          </Button>
        ))}
      </p>
      {preview !== null && <PreviewResult titles={[t('期间骑行'), t('使用优惠券的骑行')]} preview={preview} />}
    </section>
  )
}
