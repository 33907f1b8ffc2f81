import type { ReactNode } from 'react'
import { reviewEndpoints } from '@saddle/contract/organisation/review.ts'
import { call } from '#kit/api/client.ts'
import { ExportButton } from '#kit/list/ExportButton.tsx'

/** The review of one person as a file. */
export function ReviewExport({ operatorId }: { readonly operatorId: number }): ReactNode {
  return (
    <ExportButton
      onExport={async ({ language }) =>
        (await call(reviewEndpoints.exportReview, { operatorId, language }, { quiet: true })).data
      }
    />
  )
}
