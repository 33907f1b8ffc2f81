import type { ReactNode } from 'react'
import type { ErrorCode } from '@saddle/contract/errors.ts'
import type { Limits } from './limits.ts'

export interface ControlProps<V> {
  readonly id: string
  readonly label: string
  readonly value: V
  /** A method, so that a field of any value type fits into a form. */
  onChange(value: V): void
  readonly limits: Limits
  readonly isInvalid: boolean
  /** Ids of the hint and the error. */
  readonly describedBy: string | undefined
  /** Errors of single parts of the field, by path relative to the field. */
  readonly faultAt: (path: string) => string | null
}

/** A field's value in the call's input, or why it has no valid value. */
export type Read<I> = { readonly value: I } | { readonly fault: string }

/**
 * One field of a form: its look, its initial value, and its meaning in the call's input. `V` is the edited type,
 * `I` the sent type. Limits and error texts come from the contract.
 */
export interface Field<V, I> {
  readonly label: string
  /** Beside the label: e.g. who will see it, or that it is optional. */
  readonly note?: string
  /** Below the field. */
  readonly hint?: string
  readonly initial: V
  /** Its dotted path in the input; absent: its own name. */
  readonly at?: string
  /** Never kept in a draft: passwords, codes, identity numbers, phone numbers. */
  readonly isSecret?: boolean
  /** How much of a line it takes, where its form has columns. */
  readonly width?: 'half' | 'quarter'
  /** Several controls under one label. */
  readonly isGroup?: boolean
  /** Refusals of the server that concern this field. */
  readonly refusals?: readonly ErrorCode[]
  // Methods, so that fields of any value type fit into one form.
  read(value: V, limits: Limits): Read<I>
  control(props: ControlProps<V>): ReactNode
}

export type Fields = Readonly<Record<string, Field<unknown, unknown>>>
/** The edited values, by field. */
export type Values<F extends Fields> = { readonly [K in keyof F]: F[K] extends Field<infer V, unknown> ? V : never }
/** The sent values, by field. */
export type Inputs<F extends Fields> = { readonly [K in keyof F]: ReadOf<ReturnType<F[K]['read']>> }
type ReadOf<R> = R extends { readonly value: infer I } ? I : never

/** Options of every kit field. */
export type Common = Pick<Field<never, never>, 'label' | 'note' | 'hint' | 'at' | 'width' | 'isSecret' | 'refusals'>

/** Options that depend on the other fields. */
export interface Adjustment {
  readonly isHidden?: boolean
  readonly label?: string
  readonly hint?: string
  /** A check that the contract cannot make. */
  readonly fault?: string | null
}
export type Adjustments<F extends Fields> = { readonly [K in keyof F]?: Adjustment }
