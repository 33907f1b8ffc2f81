import { useEffect, useState } from 'react'

const waitMs = 250

/** The debounced value: a list is not requested for every typed letter. */
export function useLater<T>(value: T): T {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), waitMs)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
