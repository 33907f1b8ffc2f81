import type { ReactNode } from 'react'
import { FencePage } from './FencePage.tsx'

/** Where nobody may park. */
export default function NoStopPage(): ReactNode {
  return <FencePage kind="no_stop" datum="wgs84" />
}
