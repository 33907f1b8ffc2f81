import type { ReactNode } from 'react'
import type { Filter } from '../declare.ts'

/** One condition that a list offers. It is made anew with each render, so `panel` and `field` are called, not mounted: hooks belong into the components that they return. */
export interface FilterSpec<F extends Filter> {
  /** Conditions that this filter sets. */
  readonly names: readonly (keyof F & string)[]
  readonly title: string
  /** The chosen values as text for the button and the chip: `待审核 +2`; null if nothing is chosen. */
  readonly words: (filter: Partial<F>) => string | null
  /** The panel for choosing; null: the value is typed in the bar. */
  readonly panel: ((props: PanelProps<F>) => ReactNode) | null
  /** The field in the bar instead of a button. */
  readonly field?: (props: PanelProps<F>) => ReactNode
  /** Tabs above the list set it; the bar has no place for it. */
  readonly isByTabs?: true
}

export interface PanelProps<F extends Filter> {
  readonly filter: Partial<F>
  readonly change: (part: Partial<Record<keyof F, unknown>>) => void
  readonly close: () => void
}
