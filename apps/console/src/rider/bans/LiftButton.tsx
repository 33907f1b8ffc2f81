import type { ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useLift } from './useLift.ts'

interface Props {
  readonly riderIds: readonly number[]
  readonly onDone?: () => void
  /** For a selection: the button tells how many. */
  readonly isMany?: boolean
}

/** Lets riders ride again. */
export function LiftButton({ riderIds, onDone, isMany = false }: Props): ReactNode {
  const { lift, busy } = useLift(onDone)
  return (
    <Button {...(!isMany && { look: 'quiet' as const })} busy={busy} onClick={() => lift(riderIds)}>
      {isMany ? t('移出 {{count}} 位用户', { count: riderIds.length }) : t('移出黑名单')}
    </Button>
  )
}
