import type { ReactNode } from 'react'
import { FiguresPage } from './FiguresPage.tsx'

export default function DepositPage(): ReactNode {
  return <FiguresPage key="deposit" report="deposit" />
}
