import { useState } from 'react'

interface Counted {
  readonly count: number | null
  readonly isCountCut?: boolean
}

export interface Total {
  readonly count: number
  /** The count stopped at its limit: there are more rows. */
  readonly isCut: boolean
}

/** How many rows a question has. Only its first page is counted; the others keep that. `isOld`: the page answers another question. */
export function useTotal(question: string, page: Counted | undefined, isOld: boolean): Total | null {
  const [total, setTotal] = useState<(Total & { of: string }) | null>(null)
  if (page !== undefined && page.count !== null && !isOld && (total?.of !== question || total.count !== page.count)) {
    setTotal({ of: question, count: page.count, isCut: page.isCountCut === true })
  }
  return total?.of === question ? total : null
}
