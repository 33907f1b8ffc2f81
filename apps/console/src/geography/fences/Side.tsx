import { createContext, useContext, type ReactNode } from 'react'
import { createPortal } from 'react-dom'

const SideContext = createContext<HTMLElement | null>(null)

/** Parts that stand on the map and beside it at once are children of the map; `host` is the place beside it. */
export function Side({
  host,
  children,
}: {
  readonly host: HTMLElement | null
  readonly children: ReactNode
}): ReactNode {
  return <SideContext value={host}>{children}</SideContext>
}

/** What a part of the map shows beside it. */
export function Beside({ children }: { readonly children: ReactNode }): ReactNode {
  const host = useContext(SideContext)
  return host === null ? null : createPortal(children, host)
}
