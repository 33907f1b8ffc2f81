import type { ReactNode } from 'react'
import { ScreenPage } from './ScreenPage.tsx'

export default function OperationsPage(): ReactNode {
  return <ScreenPage page="operations" />
}
