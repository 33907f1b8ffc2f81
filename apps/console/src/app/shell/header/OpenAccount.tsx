import type { ReactNode } from 'react'
import { OpeningDrawer } from '#finance/public.ts'
import { loadPermissions } from '#kit/session/permissions.ts'
import { useSession } from '#kit/session/store.ts'

/** With the account come the pages of the finance group. */
const readMenuAnew = (): void => void loadPermissions().catch(() => null)

/** The account of the person's own company: before it is open, no page of the finance group leads there (section 4). */
export default function OpenAccount({ onClose }: { readonly onClose: () => void }): ReactNode {
  const session = useSession()
  if (session === null) return null
  const company = session.me?.company ?? ''
  return (
    <OpeningDrawer agentId={session.agentId} company={company} sources={[]} onClose={onClose} onOpened={readMenuAnew} />
  )
}
