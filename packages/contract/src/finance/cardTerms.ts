import { z } from 'zod'
import { idSchema, instantSchema, plainTextSchema } from '#contract/answers.ts'

/** What a card on sale promises, what it costs, and how it stands on the shelf. */

export const cardKinds = ['riding', 'discount'] as const
export type CardKind = (typeof cardKinds)[number]
export const cardKindLabels: Readonly<Record<CardKind, string>> = { riding: '骑行卡', discount: '优惠卡' }

/** The looks of a card on a phone. */
export const cardColours = ['blue', 'green', 'orange', 'red', 'violet', 'black'] as const
export type CardColour = (typeof cardColours)[number]
export const cardColourLabels: Readonly<Record<CardColour, string>> = {
  blue: '蓝',
  green: '绿',
  orange: '橙',
  red: '红',
  violet: '紫',
  black: '黑金',
}

export const cardPriceMaxCents = 10_000_000
export const cardNameMax = 20
export const cardRidesMax = 1_000
export const cardStockMax = 1_000_000
export const cardAreasMax = 500

const priceCents = z.int().min(1).max(cardPriceMaxCents)

/** As each version stores them. */
export const cardTermsSchema = z
  .strictObject({
    kind: z.enum(cardKinds),
    name: plainTextSchema.trim().min(1).max(cardNameMax),
    priceCents,
    /** The price that is shown crossed out beside it. */
    wasPriceCents: priceCents.nullable().default(null),
    /** Until when it is valid, whatever was used of it. */
    days: z.int().min(1).max(366),
    /** So many rides in all; null: any number within the days. */
    rides: z.int().min(1).max(cardRidesMax).nullable().default(null),
    /** Riding cards: the first minutes of each ride. */
    freeMinutes: z.int().min(1).max(1_440).nullable().default(null),
    ridesPerDay: z.int().min(1).max(100).nullable().default(null),
    /** Discount cards: a percentage, up to so many cents a ride. */
    percentOff: z.int().min(1).max(99).nullable().default(null),
    maxOffCents: z.int().min(1).max(1_000_000).nullable().default(null),
    /** Where it holds; empty: everywhere. */
    areaIds: z.array(idSchema).max(cardAreasMax).default([]),
    /** Cards that there are to sell in all; null: any number. */
    stock: z.int().min(1).max(cardStockMax).nullable().default(null),
    /** Cards of this product that a rider may buy. */
    riderMax: z.int().min(1).max(100).nullable().default(null),
    onFrom: instantSchema.nullable().default(null),
    onTo: instantSchema.nullable().default(null),
    badge: plainTextSchema.trim().max(6).default(''),
    slogan: plainTextSchema.trim().max(24).default(''),
    colour: z.enum(cardColours).default('blue'),
  })
  .refine(({ kind, freeMinutes, percentOff }) => kind !== 'riding' || (freeMinutes !== null && percentOff === null), {
    error: '请填写每次免费分钟',
    path: ['freeMinutes'],
  })
  .refine(({ kind, freeMinutes, percentOff }) => kind !== 'discount' || (percentOff !== null && freeMinutes === null), {
    error: '请填写优惠比例',
    path: ['percentOff'],
  })
  .refine(({ kind, maxOffCents }) => kind === 'discount' || maxOffCents === null, {
    error: '只有优惠卡有最多优惠金额',
    path: ['maxOffCents'],
  })
  .refine(({ kind, ridesPerDay }) => kind === 'riding' || ridesPerDay === null, {
    error: '只有骑行卡有每天次数',
    path: ['ridesPerDay'],
  })
  .refine(({ wasPriceCents, priceCents: price }) => wasPriceCents === null || wasPriceCents > price, {
    error: '划线价须高于售价',
    path: ['wasPriceCents'],
  })
  .refine(({ onFrom, onTo }) => onFrom === null || onTo === null || onTo > onFrom, {
    error: '停售时间须晚于开售时间',
    path: ['onTo'],
  })
export type CardTerms = z.output<typeof cardTermsSchema>

/** What a sold card promises: of the terms, what its rider has. */
export const cardPromise = {
  kind: z.enum(cardKinds),
  name: z.string(),
  priceCents: z.int(),
  days: z.int(),
  /** Null: any number of rides within the days. */
  rides: z.int().nullable(),
  /** Riding cards. */
  freeMinutes: z.int().nullable(),
  /** Null: as often as one likes. */
  ridesPerDay: z.int().nullable(),
  /** Discount cards. */
  percentOff: z.int().nullable(),
  maxOffCents: z.int().nullable(),
  /** Empty: every service area of the company. */
  areaIds: z.array(z.int()),
}
