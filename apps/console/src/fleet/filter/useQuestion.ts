import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { VehicleFilter } from '@saddle/contract/fleet/search.ts'
import { readFilter, readSort, writeQuestion, type VehicleSortBy } from './link.ts'

export interface Question {
  readonly filter: VehicleFilter
  readonly sort: VehicleSortBy
  readonly setFilter: (filter: VehicleFilter) => void
  readonly setSort: (sort: VehicleSortBy) => void
}

/** The page's question about vehicles, held by the address: a link, a reload and the back button all keep it. */
export function useQuestion(): Question {
  const [params, setParams] = useSearchParams()
  const text = `${params.get('filter') ?? ''}|${params.get('sort') ?? ''}`
  const [known, setKnown] = useState(() => ({ text, filter: readFilter(params), sort: readSort(params) }))
  let now = known
  if (known.text !== text) {
    now = { text, filter: readFilter(params), sort: readSort(params) }
    setKnown(now)
  }
  return {
    filter: now.filter,
    sort: now.sort,
    setFilter: (filter) => setParams((before) => writeQuestion(before, { filter })),
    setSort: (sort) => setParams((before) => writeQuestion(before, { sort }), { replace: true }),
  }
}
