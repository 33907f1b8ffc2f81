import { useEffect, useState, type RefObject } from 'react'
import { headerHidden } from './device.ts'

/** True while the fixed header is hidden because the content scrolls down. */
export function useAutoHide(scroller: RefObject<HTMLElement | null>, autoHide: boolean): boolean {
  const [away, setAway] = useState(false)
  useEffect(() => {
    const element = scroller.current
    if (element === null || !autoHide) return undefined
    let previousPx = element.scrollTop
    const onScroll = (): void => {
      const offsetPx = element.scrollTop
      setAway(headerHidden({ autoHide, offsetPx, previousPx }))
      previousPx = offsetPx
    }
    element.addEventListener('scroll', onScroll, { passive: true })
    return () => element.removeEventListener('scroll', onScroll)
  }, [scroller, autoHide])
  return autoHide && away
}
