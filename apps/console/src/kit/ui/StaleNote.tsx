import type { ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import './states.css'

interface Props {
  readonly reading: { readonly data: unknown; readonly error: unknown; readonly refetch: () => unknown }
}

/** Says that what is shown was read before the last attempt failed; nothing while it is fresh or absent. */
export function StaleNote({ reading: { data, error, refetch } }: Props): ReactNode {
  if (data === undefined || error === null) return null
  return (
    <p className="stale-note" role="alert">
      {t('刷新失败，以下内容可能不是最新')}
      <Button look="quiet" onClick={() => void refetch()}>
        {t('重试')}
      </Button>
    </p>
  )
}
