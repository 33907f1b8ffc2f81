import type { ReactNode } from 'react'
import { reviewEndpoints } from '@saddle/contract/organisation/review.ts'
import { call } from '#kit/api/client.ts'
import { ExportButton } from '#kit/list/ExportButton.tsx'

/** The review as a file. */
export function ReviewExport({ ask }: { readonly ask: { operatorId: number } | { code: string } }): ReactNode {
  return (
    <ExportButton
      onExport={async (at, signal) => (await call(reviewEndpoints.exportReview, { ...ask, ...at }, { signal })).data}
    />
  )
}
