import type { ReactNode } from 'react'
import { FiguresPage } from './FiguresPage.tsx'

export default function WalletPage(): ReactNode {
  return <FiguresPage key="wallet" report="wallet" />
}
