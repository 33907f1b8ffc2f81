import type { ReactNode } from 'react'
import { useLabels, type Uses } from '@saddle/contract/organisation/uses.ts'
import { t } from '#kit/i18n/index.ts'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import './references.css'

interface Props {
  readonly uses: Uses | undefined
  readonly error: unknown
  readonly onRetry: () => void
  /** Shown when nothing depends on it. */
  readonly none: string
}

/** What depends on a company or an area, shown before it is changed. */
export function References({ uses, error, onRetry, none }: Props): ReactNode {
  if (uses === undefined) return error === null ? <Loading /> : <ErrorState error={error} onRetry={onRetry} />
  if (uses.list.length === 0) return <p className="uses-none">{none}</p>
  return (
    <ul className="uses" aria-label={t('受影响的内容')}>
      {uses.list.map(({ kind, count }) => (
        <li key={kind}>
          <span>{t(useLabels[kind])}</span>
          {/* Records are only looked for: there may be millions. */}
          <b>{kind === 'records' ? t('有') : count}</b>
        </li>
      ))}
    </ul>
  )
}
