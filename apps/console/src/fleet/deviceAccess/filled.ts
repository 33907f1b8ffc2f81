import type { ReactNode } from 'react'

type Fact = readonly [label: string, value: ReactNode]

/** Facts without those that hold nothing. */
export const filled = (facts: readonly Fact[]): readonly Fact[] =>
  facts.filter(([, value]) => value !== '' && value !== null)
