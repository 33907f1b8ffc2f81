import {
  cardColourLabels,
  cardColours,
  cardKindLabels,
  cardKinds,
  cardTermsSchema,
  type CardKind,
  type CardTerms,
} from '@saddle/contract/finance/cardTerms.ts'
import type { Common, Field, Inputs, Values } from '#kit/form/field.ts'
import { choice, many, type Option } from '#kit/form/choiceFields.tsx'
import { moment } from '#kit/form/otherFields.tsx'
import { number, text, yuan } from '#kit/form/textFields.tsx'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'

type Length = 'days' | 'rides'

/** An amount that may be left out; then null is sent. */
function yuanOrNone(options: Common & { readonly initialCents: number | null }): Field<string, number | null> {
  const { initialCents, ...rest } = options
  const whole = yuan({ ...rest, ...(initialCents !== null && { initialCents }) })
  return {
    ...whole,
    note: rest.note ?? t('选填'),
    read: (value, limits) => (value.trim() === '' ? { value: null } : whole.read(value, limits)),
  }
}

/** A whole number that may be left out. */
const countOrNone = (options: Common & { readonly initial: number | null; readonly unit: string }) => {
  const { initial, ...rest } = options
  return number({ ...rest, isOptional: true, ...(initial !== null && { initial }) })
}

/** A whole number; the field is hidden where the kind of card has none. */
const countOf = (options: Common & { readonly initial: number | null; readonly unit: string }) => {
  const { initial, ...rest } = options
  return number({ ...rest, ...(initial !== null && { initial }) })
}

const timeOrNone = (label: string, at: string, initial: number | null | undefined) =>
  moment({
    label,
    at,
    isOptional: true,
    note: t('选填'),
    ...(typeof initial === 'number' && { initial: dateTime(initial).slice(0, 16) }),
  })

/** The fields of a card's terms; they begin with those of another card. */
export function cardFields(of: CardTerms | null, areas: readonly Option<number>[]) {
  return {
    name: text({ label: t('名称'), at: 'terms.name', initial: of?.name ?? '', refusals: ['name_taken'] }),
    kind: choice<CardKind>({
      label: t('类型'),
      at: 'terms.kind',
      initial: of?.kind ?? 'riding',
      options: cardKinds.map((value) => ({ value, label: t(cardKindLabels[value]) })),
    }),
    priceCents: yuan({
      label: t('售价'),
      at: 'terms.priceCents',
      ...(of !== null && { initialCents: of.priceCents }),
    }),
    wasPriceCents: yuanOrNone({
      label: t('划线价'),
      at: 'terms.wasPriceCents',
      initialCents: of?.wasPriceCents ?? null,
    }),
    length: choice<Length>({
      label: t('计量方式'),
      initial: of !== null && of.rides !== null ? 'rides' : 'days',
      options: [
        { value: 'days', label: t('按天'), text: t('有效期内次数不限') },
        { value: 'rides', label: t('按次'), text: t('用完或到期为止') },
      ],
    }),
    rides: countOf({ label: t('总次数'), at: 'terms.rides', unit: t('次'), initial: of?.rides ?? null }),
    days: number({ label: t('有效天数'), at: 'terms.days', unit: t('天'), ...(of !== null && { initial: of.days }) }),
    freeMinutes: countOf({
      label: t('每次免费分钟'),
      at: 'terms.freeMinutes',
      unit: t('分钟'),
      initial: of?.freeMinutes ?? null,
    }),
    ridesPerDay: countOrNone({
      label: t('每天次数'),
      at: 'terms.ridesPerDay',
      unit: t('次'),
      initial: of?.ridesPerDay ?? null,
    }),
    percentOff: countOf({
      label: t('优惠比例'),
      at: 'terms.percentOff',
      unit: '%',
      initial: of?.percentOff ?? null,
    }),
    maxOffCents: yuanOrNone({
      label: t('每次最多优惠'),
      at: 'terms.maxOffCents',
      initialCents: of?.maxOffCents ?? null,
    }),
    areaIds: many<number>({
      label: t('适用服务区'),
      note: t('不选则全部'),
      at: 'terms.areaIds',
      options: areas,
      initial: of?.areaIds ?? [],
    }),
    stock: {
      ...countOrNone({ label: t('总库存'), at: 'terms.stock', unit: t('张'), initial: of?.stock ?? null }),
      refusals: ['card_below_sold' as const],
    },
    riderMax: countOrNone({
      label: t('每人限购'),
      at: 'terms.riderMax',
      unit: t('张'),
      initial: of?.riderMax ?? null,
    }),
    onFrom: timeOrNone(t('开售时间'), 'terms.onFrom', of?.onFrom),
    onTo: timeOrNone(t('停售时间'), 'terms.onTo', of?.onTo),
    badge: text({ label: t('角标'), at: 'terms.badge', isOptional: true, initial: of?.badge ?? '' }),
    slogan: text({ label: t('宣传语'), at: 'terms.slogan', isOptional: true, initial: of?.slogan ?? '' }),
    colour: choice({
      label: t('卡面颜色'),
      at: 'terms.colour',
      initial: of?.colour ?? 'blue',
      options: cardColours.map((value) => ({ value, label: t(cardColourLabels[value]) })),
    }),
  }
}

export type CardForm = ReturnType<typeof cardFields>

/** Fields that the kind of card has nothing to do with are not shown. */
export function hiddenFields({ kind, length }: Pick<Values<CardForm>, 'kind' | 'length'>) {
  return {
    rides: { isHidden: length !== 'rides' },
    freeMinutes: { isHidden: kind !== 'riding' },
    ridesPerDay: { isHidden: kind !== 'riding' },
    percentOff: { isHidden: kind !== 'discount' },
    maxOffCents: { isHidden: kind !== 'discount' },
  }
}

/** The terms as the call takes them. */
export function termsOf(values: Inputs<CardForm>): CardTerms {
  const { kind, length, wasPriceCents, badge, slogan } = values
  const isRiding = kind === 'riding'
  return {
    kind,
    name: values.name,
    priceCents: values.priceCents,
    wasPriceCents,
    days: values.days,
    rides: length === 'rides' ? (values.rides ?? 0) : null,
    freeMinutes: isRiding ? (values.freeMinutes ?? null) : null,
    ridesPerDay: isRiding ? (values.ridesPerDay ?? null) : null,
    percentOff: isRiding ? null : (values.percentOff ?? null),
    maxOffCents: isRiding ? null : values.maxOffCents,
    areaIds: values.areaIds,
    stock: values.stock ?? null,
    riderMax: values.riderMax ?? null,
    onFrom: values.onFrom ?? null,
    onTo: values.onTo ?? null,
    badge: badge ?? '',
    slogan: slogan ?? '',
    colour: values.colour,
  }
}

/** The terms that what was typed until now amounts to; null while they are not whole. */
export function termsSoFar(fields: CardForm, values: Values<CardForm>): CardTerms | null {
  const inputs = Object.fromEntries(
    Object.entries(fields).map(([name, field]) => {
      const read = (field.read as (value: unknown, of: { isRequired: boolean }) => { value?: unknown })(
        values[name as keyof CardForm],
        { isRequired: false },
      )
      return [name, read.value]
    }),
  ) as Inputs<CardForm>
  const terms = cardTermsSchema.safeParse(termsOf(inputs))
  return terms.success ? terms.data : null
}
