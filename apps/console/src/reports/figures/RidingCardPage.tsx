import type { ReactNode } from 'react'
import { FiguresPage } from './FiguresPage.tsx'

export default function RidingCardPage(): ReactNode {
  return <FiguresPage key="ridingCard" report="ridingCard" />
}
