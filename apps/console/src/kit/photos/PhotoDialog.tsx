import Modal from 'antd/es/modal'
import { useEffect, type ReactNode } from 'react'
import type { ShownPhoto } from '@saddle/contract/photos/photo.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { urlOfPhoto } from './urls.ts'

interface Props {
  readonly photos: readonly ShownPhoto[]
  readonly index: number
  readonly onIndex: (index: number) => void
  readonly onClose: () => void
}

/** One photo, as large as the window allows; arrow keys show the others. */
export default function PhotoDialog({ photos, index, onIndex, onClose }: Props): ReactNode {
  const photo = photos[index]
  useEffect(() => {
    const turn = (event: KeyboardEvent) => {
      const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
      if (step !== 0) onIndex((index + step + photos.length) % photos.length)
    }
    addEventListener('keydown', turn)
    return () => removeEventListener('keydown', turn)
  }, [index, onIndex, photos.length])
  if (photo === undefined) return null
  const { width, height, keptAt } = photo
  return (
    <Modal
      open
      centered
      width="min(1000px, 96vw)"
      footer={null}
      title={t('照片 {{number}}/{{count}} · {{time}}', {
        number: index + 1,
        count: photos.length,
        time: dateTime(keptAt),
      })}
      onCancel={onClose}
    >
      <img
        className="photos-large"
        src={urlOfPhoto(photo)}
        width={width}
        height={height}
        alt={t('第 {{number}} 张照片', { number: index + 1 })}
      />
      {photos.length > 1 && (
        <nav className="photos-turn" aria-label={t('翻看照片')}>
          <Button onClick={() => onIndex((index - 1 + photos.length) % photos.length)}>{t('上一张')}</Button>
          <Button onClick={() => onIndex((index + 1) % photos.length)}>{t('下一张')}</Button>
        </nav>
      )}
    </Modal>
  )
}
