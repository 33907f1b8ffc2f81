import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import type { ShownPhoto } from '@saddle/contract/photos/photo.ts'
import { t } from '#kit/i18n/index.ts'
import { photosKey } from './PhotoStrip.tsx'
import { urlOfPhoto } from './urls.ts'
import './photos.css'

interface Props {
  readonly load: (signal: AbortSignal) => Promise<readonly ShownPhoto[]>
  /** As of `PhotoStrip`: the same photos are fetched once. */
  readonly of: readonly (string | number)[]
  readonly count: number
}

/** The first picture of a row and how many more there are; fetched when the row comes into sight. */
export function PhotoThumb({ load, of, count }: Props): ReactNode {
  const frame = useRef<HTMLSpanElement>(null)
  const isSeen = useSeen(frame)
  const { data } = useQuery({
    queryKey: photosKey(of),
    queryFn: ({ signal }) => load(signal),
    enabled: isSeen && count > 0,
    // A photo never changes.
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (count === 0) return null
  const first = data?.[0]
  return (
    <span ref={frame} className="photo-thumb">
      {first !== undefined && <img src={urlOfPhoto(first)} alt={t('{{count}} 张照片', { count })} />}
      {count > 1 && <small>{count}</small>}
    </span>
  )
}

/** Whether the element has been in sight. */
function useSeen(element: { readonly current: Element | null }): boolean {
  const [isSeen, setSeen] = useState(false)
  useEffect(() => {
    const { current } = element
    if (isSeen || current === null) return
    const observer = new IntersectionObserver((entries) => {
      if (entries.some(({ isIntersecting }) => isIntersecting)) setSeen(true)
    })
    observer.observe(current)
    return () => observer.disconnect()
  }, [element, isSeen])
  return isSeen
}
