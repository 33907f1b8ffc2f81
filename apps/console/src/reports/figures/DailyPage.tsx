import type { ReactNode } from 'react'
import { FiguresPage } from './FiguresPage.tsx'

export default function DailyPage(): ReactNode {
  return <FiguresPage key="daily" report="daily" />
}
