import type { ReactNode } from 'react'
import type { ErrorCode } from '@saddle/contract/errors.ts'
import type { Limits } from './limits.ts'

export interface ControlProps<V> {
  readonly id: string
  readonly label: string
  readonly value: V
  /** A method, so that a field of any value fits into a form. */
  onChange(value: V): void
  readonly limits: Limits
  readonly isInvalid: boolean
  /** Ids of hint and fault. */
  readonly describedBy: string | undefined
  /** The fault of a part, where the field has several: by its path below the field's own. */
  readonly faultAt: (path: string) => string | null
}

/** What a field holds in terms of the call's input, or why it holds nothing that could be sent. */
export type Read<I> = { readonly value: I } | { readonly fault: string }

/**
 * One field of a form: how it looks, what it begins with, and what it means in the call's input. `V` is what is edited,
 * `I` what is sent. Limits and texts of faults come from the contract.
 */
export interface Field<V, I> {
  readonly label: string
  /** Beside the label: who will see it, that it may be left out. */
  readonly note?: string
  /** Below the field. */
  readonly hint?: string
  readonly initial: V
  /** Where it stands in the input, dotted; absent: under its own name. */
  readonly at?: string
  /** Never kept in a draft: passwords, codes, identity numbers, phone numbers. */
  readonly isSecret?: boolean
  /** Several controls under one label. */
  readonly isGroup?: boolean
  /** Refusals of the server that concern this field. */
  readonly refusals?: readonly ErrorCode[]
  // Methods, so that fields of any value fit into one form.
  read(value: V, limits: Limits): Read<I>
  control(props: ControlProps<V>): ReactNode
}

export type Fields = Readonly<Record<string, Field<unknown, unknown>>>
/** What is edited, by field. */
export type Values<F extends Fields> = { readonly [K in keyof F]: F[K] extends Field<infer V, unknown> ? V : never }
/** What is sent, by field. */
export type Inputs<F extends Fields> = { readonly [K in keyof F]: ReadOf<ReturnType<F[K]['read']>> }
type ReadOf<R> = R extends { readonly value: infer I } ? I : never

/** What every kit field may be told. */
export type Common = Pick<Field<never, never>, 'label' | 'note' | 'hint' | 'at' | 'isSecret' | 'refusals'>

/** What depends on the other fields. */
export interface Adjustment {
  readonly isHidden?: boolean
  readonly label?: string
  readonly hint?: string
  /** What the contract cannot know. */
  readonly fault?: string | null
}
export type Adjustments<F extends Fields> = { readonly [K in keyof F]?: Adjustment }
