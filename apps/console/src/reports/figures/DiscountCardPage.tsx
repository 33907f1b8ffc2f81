import type { ReactNode } from 'react'
import { FiguresPage } from './FiguresPage.tsx'

export default function DiscountCardPage(): ReactNode {
  return <FiguresPage key="discountCard" report="discountCard" />
}
