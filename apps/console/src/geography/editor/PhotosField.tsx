import type { ReactNode } from 'react'
import { fencePhotosMax, type Fence } from '@saddle/contract/geography/fences.ts'
import { fenceManageEndpoints } from '@saddle/contract/geography/manage.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { PhotoPicker } from '#kit/photos/PhotoPicker.tsx'
import { urlOfPhoto } from '#kit/photos/urls.ts'
import { useEndpoint } from '#kit/query.ts'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { photosOver, type Form } from './plan.ts'

type Photos = Pick<Form, 'photoIds' | 'photos'>
interface Props extends Photos {
  readonly fence: Fence | null
  readonly onChange: (photos: Partial<Photos>) => void
}

/** What a parking place looks like: photos it has, which can be taken away, and new ones. */
export function PhotosField({ fence, photoIds, photos, onChange }: Props): ReactNode {
  return (
    <div className="fences-field">
      <span>{t('现场照片')}</span>
      <div className="fences-photos">
        {fence !== null && fence.photoIds.length > 0 && (
          <Kept fence={fence} photoIds={photoIds} onChange={(kept) => onChange({ photoIds: kept })} />
        )}
        <PhotoPicker
          value={photos}
          max={fencePhotosMax - photoIds.length}
          label={t('现场照片')}
          onChange={(picked) => onChange({ photos: picked })}
        />
      </div>
      {photosOver({ photoIds, photos }) > 0 && (
        <p className="fences-note" data-tone="bad" role="alert">
          {t('最多 {{count}} 张照片，请先移除多余的', { count: fencePhotosMax })}
        </p>
      )}
    </div>
  )
}

interface KeptProps {
  readonly fence: Fence
  readonly photoIds: readonly string[]
  readonly onChange: (photoIds: readonly string[]) => void
}

function Kept({ fence, photoIds, onChange }: KeptProps): ReactNode {
  const { lineId, version } = fence
  const { data, error, refetch } = useEndpoint(fenceManageEndpoints.fencePhotos, { lineId, version }, { quiet: true })
  if (data === undefined) {
    return error === null ? <Loading /> : <ErrorState error={error} onRetry={() => void refetch()} />
  }
  return (
    <div className="photos">
      {data.data.photos
        .filter(({ id }) => photoIds.includes(id))
        .map((photo, index) => (
          <figure key={photo.id} className="photos-one">
            <img src={urlOfPhoto(photo)} alt={dateTime(photo.keptAt)} />
            <button
              type="button"
              className="photos-remove"
              aria-label={t('移除第 {{number}} 张照片', { number: index + 1 })}
              onClick={() => onChange(photoIds.filter((id) => id !== photo.id))}
            >
              ×
            </button>
          </figure>
        ))}
    </div>
  )
}
