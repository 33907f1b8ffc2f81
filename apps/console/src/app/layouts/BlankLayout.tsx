import type { ReactNode } from 'react'
import { Outlet } from 'react-router'

/** A page without anything around it. */
export function BlankLayout(): ReactNode {
  return (
    <main>
      <Outlet />
    </main>
  )
}
