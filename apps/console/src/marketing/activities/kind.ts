import type { ReactNode } from 'react'
import type { z } from 'zod'
import type { Activity, ActivityCalls, ActivityCommon, ActivityPreview } from '@saddle/contract/marketing/activities.ts'
import type { Option } from '#kit/form/choiceFields.tsx'
import type { Adjustments, Fields, Inputs, Values } from '#kit/form/field.ts'
import type { RewardChoices } from '../rewards/rewardFields.tsx'

/** What the fields of a kind may offer. */
export interface FieldContext {
  /** Areas of the company; of all companies while a new activity has none. */
  readonly areas: readonly Option<number>[]
}

/** What a rider is shown. */
export interface Shown<Terms> {
  readonly common: ActivityCommon
  readonly terms: Terms
}

type Switch<T extends z.ZodType> = ActivityCalls<T>['switchState']
/** The calls of a kind under their common names; pausing is reversed by the same call. */
type KindCalls<T extends z.ZodType> = ActivityCalls<T> & { readonly switchState: { readonly reverse: Switch<T> } }

/**
 * What a kind of activity adds to the pages that all kinds share: fields and words of its terms, and the rider's view of it.
 * Its fields have other names than those of `commonFields`.
 */
export interface ActivityKindUi<T extends z.ZodType<object>, F extends Fields> {
  /** In the language of the reader. */
  title(): string
  readonly calls: KindCalls<T>
  /** Its terms name coupons and cards that it gives. */
  readonly givesRewards?: true
  readonly listPath: string
  /** Where an activity is made (`id` and `from` are null), changed or copied. */
  readonly formPath: string
  fields(of: z.output<T> | null, context: FieldContext): F
  /** Fields that depend on others. */
  adjust?(values: Values<F>): Adjustments<F>
  /** The terms as the calls take them; `of`: those that the fields began with. */
  termsOf(values: Inputs<F>, of: z.output<T> | null): z.input<T>
  /** The terms in one line. */
  words(terms: z.output<T>, names: RewardChoices): string
  /** The terms in detail; versions are compared by these. */
  facts(terms: z.output<T>, names: RewardChoices): readonly (readonly [label: string, value: string])[]
  /** The activity in the riders' application; inside of the phone. */
  renderPhone(shown: Shown<z.output<T>>): ReactNode
  /** Further content of the panel beside terms and limits, such as what the activity gave. */
  renderMore?(activity: Activity<z.output<T>>): ReactNode
  /** Further figures of the preview, such as those of each level. */
  renderPreview?(preview: ActivityPreview, terms: z.output<T>): ReactNode
  /** What the preview has looked at and reached: `[骑行, 可优惠骑行]`. */
  readonly previewTitles: () => readonly [considered: string, reached: string]
}

/** A kind as the shared pages take it: methods take what the kind itself has made. */
export type AnyKindUi = ActivityKindUi<z.ZodType<object>, Fields>

/** The address of the form of an activity: a new one, a copy, or a change. */
export function formTo(
  { formPath }: Pick<AnyKindUi, 'formPath'>,
  of: { readonly id?: number; readonly from?: number } = {},
): string {
  const search = new URLSearchParams({ form: of.id === undefined ? 'new' : String(of.id) })
  if (of.from !== undefined) search.set('from', String(of.from))
  return `${formPath}?${search.toString()}`
}
