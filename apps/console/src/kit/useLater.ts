import { useEffect, useState } from 'react'

const waitMs = 250

/** The value once it has rested for a moment: a list is not asked for with every letter. */
export function useLater<T>(value: T): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), waitMs)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
