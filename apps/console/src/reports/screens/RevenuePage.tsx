import type { ReactNode } from 'react'
import { ScreenPage } from './ScreenPage.tsx'

export default function RevenuePage(): ReactNode {
  return <ScreenPage page="revenue" />
}
