import {
  cardChoiceLabels,
  cardChoices,
  certificateChoiceLabels,
  certificateChoices,
  certifiedChoices,
  certifiedLabels,
  couponHoldingLabels,
  couponHoldings,
  deviceSystemLabels,
  deviceSystems,
  riddenChoices,
  riddenLabels,
  segmentSpans,
  segmentTermsSchema,
  type SegmentSpan,
  type SegmentTerms,
} from '@saddle/contract/marketing/segments.ts'
import { balanceSpanLabels, balanceSpans } from '@saddle/contract/rider/riders.ts'
import { businessDayOf } from '@saddle/contract/time.ts'
import { checks, choice, flag, many, select, type Option } from '#kit/form/choiceFields.tsx'
import type { Inputs, Values } from '#kit/form/field.ts'
import { day } from '#kit/form/otherFields.tsx'
import { number, text } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'

const whole = (label: string, initial: number | null | undefined, unit: string, at: string) =>
  number({
    label,
    unit,
    isOptional: true,
    width: 'quarter',
    at: `terms.${at}`,
    ...(typeof initial === 'number' && { initial }),
  })
const yuan = (label: string, cents: number | null | undefined, at: string) =>
  number({
    label,
    unit: t('元'),
    decimals: 2,
    isOptional: true,
    width: 'quarter',
    at: `form.${at}`,
    ...(typeof cents === 'number' && { initial: cents / 100 }),
  })
/** Zero stands for all days since registration. */
const span = (label: string, initial: SegmentSpan | null | undefined, at: string) =>
  choice<0 | SegmentSpan>({
    label,
    initial: initial ?? 0,
    options: [
      { value: 0, label: t('累计') },
      ...segmentSpans.map((days) => ({ value: days, label: t('近 {{count}} 天', { count: days }) })),
    ],
    width: 'half',
    at: `terms.${at}`,
  })
const optionsOf = <K extends string>(keys: readonly K[], labels: Readonly<Record<K, string>>) =>
  keys.map((value) => ({ value, label: t(labels[value]) }))

export interface SegmentOffers {
  readonly areas: readonly Option<number>[]
  readonly templates: readonly Option<number>[]
  readonly tags: readonly Option<string>[]
}

/** The conditions of a segment; they begin with those of another one. What is left empty asks for nothing. */
export function segmentFields(of: SegmentTerms | null, { areas, templates, tags }: SegmentOffers) {
  const days = t('天')
  return {
    name: text({
      label: t('名称'),
      initial: of?.name ?? '',
      refusals: ['name_taken'],
      width: 'half',
      at: 'terms.name',
    }),
    ridden: choice({
      label: t('骑行经历'),
      initial: of?.ridden ?? 'any',
      options: optionsOf(riddenChoices, riddenLabels),
      at: 'terms.ridden',
    }),
    areaIds: many<number>({
      label: t('最近骑行的服务区'),
      note: t('不选则全部'),
      options: areas,
      initial: of?.areaIds ?? [],
      width: 'half',
      at: 'terms.areaIds',
    }),
    idleMin: whole(t('距最近骑行至少'), of?.idleMin, days, 'idleMin'),
    idleMax: whole(t('距最近骑行至多'), of?.idleMax, days, 'idleMax'),
    ridesDays: span(t('骑行次数统计'), of?.ridesDays, 'ridesDays'),
    ridesMin: whole(t('骑行次数至少'), of?.ridesMin, t('次'), 'ridesMin'),
    ridesMax: whole(t('骑行次数至多'), of?.ridesMax, t('次'), 'ridesMax'),
    spentDays: span(t('骑行消费统计'), of?.spentDays, 'spentDays'),
    spentMin: yuan(t('骑行消费至少'), of?.spentMinCents, 'spentMin'),
    spentMax: yuan(t('骑行消费至多'), of?.spentMaxCents, 'spentMax'),
    registeredDays: { ...whole(t('注册于近'), of?.registeredDays, days, 'registeredDays'), width: 'half' as const },
    registeredFrom: day({
      label: t('注册不早于'),
      as: 'start',
      isOptional: true,
      width: 'quarter',
      at: 'form.registeredFrom',
      ...(typeof of?.registeredFrom === 'number' && { initial: businessDayOf(of.registeredFrom) }),
    }),
    registeredTo: day({
      label: t('注册不晚于'),
      as: 'end',
      isOptional: true,
      width: 'quarter',
      at: 'form.registeredTo',
      ...(typeof of?.registeredTo === 'number' && { initial: businessDayOf(of.registeredTo - 1) }),
    }),
    ...personFields(of),
    couponTemplateId: select<number>({
      label: t('优惠券'),
      options: templates,
      initial: of?.couponTemplateId ?? null,
      isOptional: true,
      width: 'half',
      at: 'terms.couponTemplateId',
    }),
    couponHolding: choice({
      label: t('持券情况'),
      initial: of?.couponHolding ?? 'open',
      options: optionsOf(couponHoldings, couponHoldingLabels),
      width: 'half',
      at: 'terms.couponHolding',
    }),
    tags: many<string>({
      label: t('标签'),
      options: tags,
      initial: of?.tags ?? [],
      width: 'half',
      at: 'terms.tags',
    }),
    withBanned: withBanned(of),
  }
}

/** What riders have, whatever they rode. */
function personFields(of: SegmentTerms | null) {
  return {
    cards: checks({
      label: t('卡'),
      initial: of?.cards ?? [],
      options: optionsOf(cardChoices, cardChoiceLabels),
      width: 'half',
      at: 'terms.cards',
    }),
    certified: choice({
      label: t('实名'),
      initial: of?.certified ?? 'any',
      options: optionsOf(certifiedChoices, certifiedLabels),
      width: 'half',
      at: 'terms.certified',
    }),
    certificates: checks({
      label: t('专业认证'),
      initial: of?.certificates ?? [],
      options: optionsOf(certificateChoices, certificateChoiceLabels),
      width: 'half',
      at: 'terms.certificates',
    }),
    balances: checks({
      label: t('余额'),
      initial: of?.balances ?? [],
      options: optionsOf(balanceSpans, balanceSpanLabels),
      width: 'half',
      at: 'terms.balances',
    }),
    systems: checks({
      label: t('手机系统'),
      initial: of?.systems ?? [],
      options: optionsOf(deviceSystems, deviceSystemLabels),
      width: 'half',
      at: 'terms.systems',
    }),
  }
}

function withBanned(of: SegmentTerms | null) {
  return flag({
    label: t('黑名单'),
    initial: of?.withBanned ?? false,
    says: t('包含黑名单中的用户'),
    width: 'half',
    at: 'terms.withBanned',
  })
}

export type SegmentForm = ReturnType<typeof segmentFields>

export const hiddenFields = ({
  ridden,
  couponTemplateId,
}: Pick<Values<SegmentForm>, 'ridden' | 'couponTemplateId'>) => ({
  areaIds: { isHidden: ridden === 'never' },
  idleMin: { isHidden: ridden === 'never' },
  idleMax: { isHidden: ridden === 'never' },
  couponHolding: { isHidden: couponTemplateId === null },
})

const centsOf = (value: number | undefined): number | null => (value === undefined ? null : Math.round(value * 100))

/** The conditions as the call takes them. */
export function termsOf(values: Inputs<SegmentForm>, kept: SegmentTerms | null): SegmentTerms {
  const { spentMin, spentMax, ...same } = values
  const isNever = same.ridden === 'never'
  return {
    ...same,
    areaIds: isNever ? [] : same.areaIds,
    idleMin: isNever ? null : (same.idleMin ?? null),
    idleMax: isNever ? null : (same.idleMax ?? null),
    ridesDays: same.ridesDays === 0 ? null : same.ridesDays,
    ridesMin: same.ridesMin ?? null,
    ridesMax: same.ridesMax ?? null,
    spentDays: same.spentDays === 0 ? null : same.spentDays,
    spentMinCents: centsOf(spentMin),
    spentMaxCents: centsOf(spentMax),
    registeredDays: same.registeredDays ?? null,
    registeredFrom: same.registeredFrom ?? null,
    registeredTo: same.registeredTo ?? null,
    couponTemplateId: same.couponTemplateId ?? null,
    // Applications are chosen by the call only.
    appIds: kept?.appIds ?? [],
  }
}

/** What was typed until now, where it can be counted; the name plays no part. */
export function termsSoFar(fields: SegmentForm, values: Values<SegmentForm>, kept: SegmentTerms | null) {
  const limits = { isRequired: false }
  const inputs = Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const read = (field.read as (value: unknown, of: typeof limits) => { value?: unknown })(
        values[name as keyof SegmentForm],
        limits,
      )
      return [name, read.value]
    }),
  ) as Inputs<SegmentForm>
  const terms = segmentTermsSchema.safeParse({ ...termsOf(inputs, kept), name: t('人群') })
  return terms.success ? terms.data : null
}
