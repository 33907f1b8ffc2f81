import { useEffect, type RefObject } from 'react'

const chosen = '[aria-pressed="true"], [aria-selected="true"], [aria-current="page"]'
/** So much of the next choice stays in sight, which says that there is more. */
const besidePx = 32

/** Scrolls a row of choices that is wider than the screen sideways, and only it, until the chosen one is in sight. */
export function useChosenInSight(row: RefObject<HTMLElement | null>, value: unknown): void {
  useEffect(() => {
    const whole = row.current
    const one = whole?.querySelector<HTMLElement>(chosen)
    if (whole === null || one === null || one === undefined) return
    const [frame, box] = [whole.getBoundingClientRect(), one.getBoundingClientRect()]
    if (box.left < frame.left) whole.scrollBy({ left: box.left - frame.left - besidePx })
    else if (box.right > frame.right) whole.scrollBy({ left: box.right - frame.right + besidePx })
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- what is chosen decides where to scroll
  }, [row, value])
}
