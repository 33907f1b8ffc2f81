import type { ReactNode } from 'react'
import { useSearchParams } from 'react-router'
import { DayList } from './DayList.tsx'
import { DifferenceList } from './DifferenceList.tsx'

/** The daily bills of payment channels: what agrees with the platform, what does not, and what is decided about it. */
export default function ChannelBillsPage(): ReactNode {
  const [search] = useSearchParams()
  return search.get('view') === 'differences' ? <DifferenceList /> : <DayList />
}
