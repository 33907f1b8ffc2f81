import { useState, type ReactNode } from 'react'
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
import { effectText, validText } from './words.ts'

interface Props {
  /** Null while they are not whole. */
  readonly terms: CouponTerms | null
  readonly areas: readonly Option<number>[]
}

/** The ride that a coupon is tried on. */
const sample = { minutes: 40, distanceM: 5_000, returnKind: 'in_place', model: null, weather: 'fair' } as const

/** The coupon as a rider sees it on a phone, and what it takes off a ride. */
export function CouponPreview({ terms, areas }: Props): ReactNode {
  if (terms === null) return <p className="coupon-preview">{t('填写后在此预览')}</p>
  return (
    <section className="coupon-preview" aria-label={t('预览')}>
      <div className="coupon-phone">
        <strong>{effectText(terms)}</strong>
        <span>{terms.name}</span>
        <small>{validText(terms)}</small>
        {terms.alone && <small>{t('不与其他优惠同享')}</small>}
      </div>
      <Trial terms={terms} areas={areas} />
    </section>
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
        <select className="form-input" value={areaId} onChange={({ target }) => setAreaId(Number(target.value))}>
          {areas.map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
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
