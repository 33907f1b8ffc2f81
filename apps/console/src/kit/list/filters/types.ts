import type { ReactNode } from 'react'
import type { Filter } from '../declare.ts'

/** One condition that a list offers. It is made anew with each render, so `panel` and `field` are called, not mounted: hooks belong into the components that they return. */
export interface FilterSpec<F extends Filter> {
  /** Conditions of the filter that it sets. */
  readonly names: readonly (keyof F & string)[]
  readonly title: string
  /** What is chosen, in words, for the button and the chip: `待审核 +2`; null where nothing is. */
  readonly words: (filter: Partial<F>) => string | null
  /** Chooses; null: it is typed right into the bar. */
  readonly panel: ((props: PanelProps<F>) => ReactNode) | null
  /** What stands in the bar instead of a button. */
  readonly field?: (props: PanelProps<F>) => ReactNode
}

export interface PanelProps<F extends Filter> {
  readonly filter: Partial<F>
  readonly change: (part: Partial<Record<keyof F, unknown>>) => void
  readonly close: () => void
}
