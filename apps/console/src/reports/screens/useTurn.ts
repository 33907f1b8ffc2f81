import { useEffect, useState } from 'react'

/** Which of some pages is shown: the next one after each pause, and from the last the first again. */
export function useTurn(pages: number, everyMs: number): number {
  const [turn, setTurn] = useState(0)
  useEffect(() => {
    if (pages < 2) return
    const timer = setInterval(() => setTurn((now) => (now + 1) % pages), everyMs)
    return () => clearInterval(timer)
  }, [pages, everyMs])
  return pages === 0 ? 0 : turn % pages
}
