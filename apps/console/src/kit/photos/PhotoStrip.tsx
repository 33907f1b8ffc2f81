import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { ShownPhoto } from '@saddle/contract/photos/photo.ts'
import { isApiError, wordsOf } from '#kit/api/error.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { onDemand } from '#kit/onDemand.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { queryClient } from '#kit/query.ts'
import { urlOfPhoto } from './urls.ts'
import './photos.css'

interface Props {
  /** Fetches them: they are large, so a page fetches them by a call of their own. */
  readonly load: (signal: AbortSignal) => Promise<readonly ShownPhoto[]>
  /** Names what they belong to, as the key of a query: they are kept by it. */
  readonly of: readonly (string | number)[]
  /** How many there are: so many places are kept free meanwhile. None: nothing is shown or fetched. */
  readonly count: number
  readonly label?: string
}

const PhotoDialog = onDemand(
  () => import('./PhotoDialog.tsx'),
  ({ onClose }) => onClose(),
)

export const photosKey = (of: Props['of']) => ['photos', ...of]

/** Reads photos ahead that will be shown soon. */
export const prefetchPhotos = (of: Props['of'], load: Props['load']): void =>
  void queryClient.prefetchQuery({
    queryKey: photosKey(of),
    queryFn: ({ signal }) => load(signal),
    staleTime: Number.POSITIVE_INFINITY,
  })

/** Small pictures in a row; each opens large, where the arrow keys go on to the next. */
export function PhotoStrip({ load, of, count, label = t('照片') }: Props): ReactNode {
  const [open, setOpen] = useState<number | null>(null)
  const { data, error, refetch } = useQuery({
    queryKey: photosKey(of),
    queryFn: ({ signal }) => load(signal),
    enabled: count > 0,
    // A photo never changes.
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (count === 0) return null
  if (error !== null && data === undefined) {
    return (
      <p className="photos-failed" role="alert">
        {isApiError(error) ? wordsOf(error) : t('照片加载失败')}
        <Button look="quiet" onClick={() => void refetch()}>
          {t('重试')}
        </Button>
      </p>
    )
  }
  return (
    <ul className="photos" aria-label={label} aria-busy={data === undefined}>
      {data === undefined
        ? Array.from({ length: count }, (_, index) => <li key={index} className="photos-one photos-bone" />)
        : data.map((photo, index) => (
            <li key={photo.id} className="photos-one">
              <button
                type="button"
                aria-label={t('放大第 {{number}} 张照片', { number: index + 1 })}
                onClick={() => setOpen(index)}
              >
                <img src={urlOfPhoto(photo)} alt={dateTime(photo.keptAt)} />
              </button>
            </li>
          ))}
      {open !== null && data !== undefined && (
        <PhotoDialog photos={data} index={open} onIndex={setOpen} onClose={() => setOpen(null)} />
      )}
    </ul>
  )
}
