import type { ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import { setSelection, useScope } from '#kit/session/scope.ts'
import { useSession } from '#kit/session/store.ts'
import { Button } from '#kit/plain/Button.tsx'
import './parts.css'

/** Why the own company's list is empty: the header's selection leaves the own company out. */
export function ScopeNote(): ReactNode {
  const { selection } = useScope()
  const own = useSession()?.agentId
  const isOut = own !== undefined && selection.agentIds !== undefined && !selection.agentIds.includes(own)
  if (!isOut) return null
  return (
    <output className="org-note">
      {t('页头的选择不包含本公司，因此这里没有内容。')}{' '}
      <Button onClick={() => setSelection({})}>{t('选择全部')}</Button>
    </output>
  )
}
