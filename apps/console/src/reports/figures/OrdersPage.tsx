import type { ReactNode } from 'react'
import { FiguresPage } from './FiguresPage.tsx'

export default function OrdersPage(): ReactNode {
  return <FiguresPage key="orders" report="orders" />
}
