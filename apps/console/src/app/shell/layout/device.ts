import { breakpointsPx, layoutPx } from '@saddle/contract/constants.ts'

export type Device = 'mobile' | 'tablet' | 'desktop'

/** Up to 576 px mobile, up to 1199 px tablet, from 1200 px desktop (section 4). */
export function deviceOf(widthPx: number): Device {
  if (widthPx <= breakpointsPx.tablet) return 'mobile'
  return widthPx < breakpointsPx.desktop ? 'tablet' : 'desktop'
}

/** The sidebar is open on desktop and mobile (there as a drawer's content), closed on a tablet. */
export function sidebarOpenOn(device: Device): boolean {
  return device !== 'tablet'
}

/** A fixed header that hides itself goes away while one scrolls down past the threshold, and comes back upwards. */
export function headerHidden(scroll: {
  readonly autoHide: boolean
  readonly offsetPx: number
  readonly previousPx: number
}): boolean {
  return scroll.autoHide && scroll.offsetPx > layoutPx.headerAutoHideScroll && scroll.offsetPx >= scroll.previousPx
}
