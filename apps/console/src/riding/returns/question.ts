import type { ReviewState } from '@saddle/contract/riding/returns.ts'

/** Which returns are looked at. */
export interface ReviewQuestion {
  readonly states: readonly ReviewState[]
  readonly areaIds: readonly number[] | undefined
  readonly disputed: boolean
}
