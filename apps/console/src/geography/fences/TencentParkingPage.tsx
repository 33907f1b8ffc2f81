import type { ReactNode } from 'react'
import { FencePage } from './FencePage.tsx'

/** The same for people who work with a provider's map: coordinates that are typed or pasted are those of its datum. */
export default function TencentParkingPage(): ReactNode {
  return <FencePage kind="parking" datum="gcj02" />
}
