import { useState } from 'react'
import type { RequestOf } from '@saddle/contract/endpoint.ts'
import { fenceManageEndpoints, fenceSorts, type ManagedFence } from '@saddle/contract/geography/manage.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import type { Sort } from '#kit/list/DataTable.tsx'
import { useEndpoint } from '#kit/query.ts'
import { useScope } from '#kit/session/scope.ts'
import { useLater } from '#kit/useLater.ts'

export type Question = RequestOf<typeof fenceManageEndpoints.exportElectricFences>['filter']
type Sorting = NonNullable<RequestOf<typeof fenceManageEndpoints.listElectricFences>['sort']>

const refreshEveryMs = minuteMs
/** One page of the fences that are asked for. */
export function useFenceList(question: Question, pageSize: number) {
  const { scopeKey } = useScope()
  const asked = useLater(question)
  const [sort, setSort] = useState<Sorting | null>(null)
  const key = JSON.stringify([asked, scopeKey, sort])
  const [at, setAt] = useState({ key, page: 1 })
  const page = at.key === key ? at.page : 1
  const input = { ...asked, ...(sort !== null && { sort }), page, pageSize }
  const reading = useEndpoint(fenceManageEndpoints.listElectricFences, input, {
    keepPrevious: true,
    refetchIntervalMs: refreshEveryMs,
  })
  const list: readonly ManagedFence[] | undefined = reading.data?.data.list
  const count = reading.data?.data.count ?? null
  return {
    list,
    count,
    page,
    pageSize,
    sort,
    hasNext: count !== null && page * pageSize < count,
    isLoading: reading.isPlaceholderData,
    error: reading.error,
    retry: () => void reading.refetch(),
    turn: (next: number) => setAt({ key, page: next }),
    order: ({ by, direction }: Sort) => {
      const known = fenceSorts.find((one) => one === by)
      if (known !== undefined) setSort({ by: known, direction })
    },
  }
}
