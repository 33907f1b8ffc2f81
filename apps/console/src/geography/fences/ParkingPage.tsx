import type { ReactNode } from 'react'
import { FencePage } from './FencePage.tsx'

/** Where vehicles are left. */
export default function ParkingPage(): ReactNode {
  return <FencePage kind="parking" datum="wgs84" />
}
