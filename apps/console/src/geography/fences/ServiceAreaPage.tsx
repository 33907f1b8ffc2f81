import type { ReactNode } from 'react'
import { FencePage } from './FencePage.tsx'

/** Where riding is allowed. */
export default function ServiceAreaPage(): ReactNode {
  return <FencePage kind="service_area" datum="wgs84" />
}
