import type { ReactNode } from 'react'
import {
  effectConfidence,
  effectEndpoints,
  effectVerdictLabels,
  type Effect,
  type EffectArm,
  type EffectSubject,
  type EffectVerdict,
} from '@saddle/contract/marketing/effects.ts'
import { dateTime, money, number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Facts } from '#kit/ui/Facts.tsx'
import { Mark, type Tone } from '#kit/ui/Mark.tsx'
import { ErrorState, Loading } from '#kit/ui/states.tsx'

const toneOf: Readonly<Record<EffectVerdict, Tone>> = {
  no_holdout: 'off',
  few: 'warn',
  up: 'good',
  down: 'bad',
  none: 'info',
}

interface Props {
  readonly of: EffectSubject
  readonly id: number
  /** Opens the riders of a group. */
  readonly onOpen: (arm: EffectArm) => void
}

/** What an activity or a campaign brought beside the riders that were held out of it. */
export function EffectView({ of, id, onOpen }: Props): ReactNode {
  const { data, error, refetch } = useEndpoint(effectEndpoints.marketingEffect, { of, id })
  if (error !== null) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Loading />
  const effect = data.data
  return (
    <>
      <p>
        <Mark tone={toneOf[effect.verdict]}>{t(effectVerdictLabels[effect.verdict])}</Mark> {sentence(effect)}
      </p>
      <Facts facts={factsOf(effect, onOpen)} />
    </>
  )
}

function sentence({ verdict, rides }: Effect): string {
  if (rides === null || verdict === 'no_holdout') return t('设置对照比例后，才能看到带来了多少骑行')
  const span = { low: signed(rides.low), high: signed(rides.high), share: effectConfidence }
  if (verdict === 'few') return t('人均差异在 {{low}} 至 {{high}} 次之间（{{share}}% 区间），还不能下结论', span)
  return t('每位用户多骑 {{low}} 至 {{high}} 次（{{share}}% 区间）', span)
}

const signed = (value: number): string => `${value < 0 ? '−' : ''}${Math.abs(value).toFixed(2)}`
const whole = (value: number): string => number(Math.round(value))

function factsOf(effect: Effect, onOpen: Props['onOpen']): (readonly [string, ReactNode])[] {
  const opens = (arm: EffectArm, text: string) => (
    <Button look="link" onClick={() => onOpen(arm)}>
      {text}
    </Button>
  )
  const { rides, cents, extraRides, costPerRideCents, from, to } = effect
  return [
    [t('触达用户'), opens('treated', number(effect.treatedRiders))],
    [t('对照用户'), opens('heldOut', number(effect.heldOutRiders))],
    ...(rides === null
      ? []
      : [
          [t('人均骑行（触达）'), opens('treated', rides.treated.toFixed(2))] as const,
          [t('人均骑行（对照）'), opens('heldOut', rides.heldOut.toFixed(2))] as const,
        ]),
    ...(extraRides === null || effect.verdict === 'few'
      ? []
      : [
          [
            t('多出的骑行'),
            t('{{value}}（{{low}} 至 {{high}}）', {
              value: whole(extraRides.value),
              low: whole(extraRides.low),
              high: whole(extraRides.high),
            }),
          ] as const,
        ]),
    ...(cents === null || effect.verdict === 'few'
      ? []
      : [
          [
            t('人均消费差异'),
            t('{{value}} 元（{{low}} 至 {{high}}）', {
              value: money(Math.round(cents.difference)),
              low: money(Math.round(cents.low)),
              high: money(Math.round(cents.high)),
            }),
          ] as const,
        ]),
    [t('花费'), t('{{yuan}} 元', { yuan: money(effect.costCents) })],
    [
      t('每多一次骑行的花费'),
      costPerRideCents === null
        ? t('还不能确定')
        : t('{{value}} 元（{{low}} 至 {{high}}）', {
            value: money(Math.round(costPerRideCents.value)),
            low: money(Math.round(costPerRideCents.low)),
            high: costPerRideCents.high === null ? '∞' : money(Math.round(costPerRideCents.high)),
          }),
    ],
    ...(from === null || to === null ? [] : [[t('统计区间'), `${dateTime(from)} – ${dateTime(to)}`] as const]),
  ]
}
