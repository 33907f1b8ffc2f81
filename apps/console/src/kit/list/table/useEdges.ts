import { useEffect, useLayoutEffect, type RefObject } from 'react'

/**
 * Keeps columns at the edges of a scrolling frame. The offset of each column is measured, because columns are
 * as wide as their content. The frame shows which side has more (`data-more-start`, `data-more-end`).
 */
export function useEdges(
  frame: RefObject<HTMLElement | null>,
  table: RefObject<HTMLTableElement | null>,
  drawn: { readonly columns: readonly unknown[]; readonly rows: readonly unknown[] },
): void {
  const { columns, rows } = drawn
  useLayoutEffect(() => {
    measure(table.current)
    say(frame.current)
    // A new active or selected row does not change the edges: measuring costs a layout of the whole table.
    // oxlint-disable-next-line react/exhaustive-effect-dependencies -- what was drawn decides how wide columns are
  }, [frame, table, columns, rows])
  useEffect(() => {
    const [outer, inner] = [frame.current, table.current]
    if (outer === null || inner === null) return undefined
    const onScroll = (): void => say(outer)
    outer.addEventListener('scroll', onScroll, { passive: true })
    const observer = new ResizeObserver(() => {
      measure(inner)
      say(outer)
    })
    observer.observe(outer)
    observer.observe(inner)
    return () => {
      outer.removeEventListener('scroll', onScroll)
      observer.disconnect()
    }
  }, [frame, table])
}

function measure(table: HTMLTableElement | null): void {
  const cells = [...(table?.querySelectorAll<HTMLElement>('thead th') ?? [])]
  for (const edge of ['start', 'end'] as const) {
    const pinned = cells.filter((cell) => cell.dataset['edge'] === edge)
    if (edge === 'end') pinned.reverse()
    let px = 0
    for (const [index, cell] of pinned.entries()) {
      table?.style.setProperty(`--edge-${edge}-${index}`, `${px}px`)
      px += cell.getBoundingClientRect().width
    }
  }
}

function say(frame: HTMLElement | null): void {
  if (frame === null) return
  const room = frame.scrollWidth - frame.clientWidth
  frame.dataset['moreStart'] = String(frame.scrollLeft > 1)
  frame.dataset['moreEnd'] = String(frame.scrollLeft < room - 1)
}
