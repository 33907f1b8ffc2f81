import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import { photosPerCallMax } from '@saddle/contract/photos/photo.ts'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { shrink, type PickedPhoto } from './shrink.ts'
import { urlOfPicked } from './urls.ts'
import './photos.css'

interface Props {
  readonly value: readonly PickedPhoto[]
  readonly onChange: (photos: readonly PickedPhoto[]) => void
  readonly max?: number
  readonly label?: string
}

/** Photos out of the camera or the gallery, made small before they are sent; each can be taken out again. */
export function PhotoPicker({ value, onChange, max = photosPerCallMax, label = t('照片') }: Props): ReactNode {
  const [busy, setBusy] = useState(0)
  const left = max - value.length - busy
  const latest = useRef(value)
  useEffect(() => {
    latest.current = value
  }, [value])
  const add = async (files: readonly File[]) => {
    if (files.length > left) notify.warning({ text: t('最多添加 {{count}} 张照片', { count: max }) })
    const taken = files.slice(0, Math.max(0, left))
    setBusy(taken.length)
    const added: PickedPhoto[] = []
    for (const file of taken) {
      try {
        added.push(await shrink(file))
      } catch {
        notify.error({ text: t('{{name}} 不是可以识别的照片', { name: file.name }) })
      }
    }
    setBusy(0)
    // Other photos may have been removed meanwhile.
    if (added.length > 0) onChange([...latest.current, ...added])
  }
  return (
    <fieldset className="photos" aria-busy={busy > 0}>
      <legend className="visually-hidden">{label}</legend>
      {value.map((photo, index) => (
        <figure key={photo.key} className="photos-one">
          <img src={urlOfPicked(photo)} alt={photo.name} />
          <button
            type="button"
            className="photos-remove"
            aria-label={t('移除第 {{number}} 张照片', { number: index + 1 })}
            onClick={() => onChange(value.filter(({ key }) => key !== photo.key))}
          >
            ×
          </button>
        </figure>
      ))}
      {Array.from({ length: busy }, (_, index) => (
        <span key={index} className="photos-one photos-bone" />
      ))}
      {left > 0 && (
        <>
          <Source label={t('拍照')} isCamera onFiles={(files) => void add(files)} />
          <Source label={t('选择照片')} onFiles={(files) => void add(files)} />
        </>
      )}
    </fieldset>
  )
}

interface SourceProps {
  readonly label: string
  readonly isCamera?: boolean
  readonly onFiles: (files: readonly File[]) => void
}

function Source({ label, isCamera = false, onFiles }: SourceProps) {
  const id = useId()
  return (
    <label htmlFor={id} className="photos-one photos-add" data-camera={isCamera}>
      <input
        id={id}
        type="file"
        accept="image/*"
        className="visually-hidden"
        {...(isCamera ? { capture: 'environment' as const } : { multiple: true })}
        onChange={(event) => {
          const files = [...(event.target.files ?? [])]
          // Cleared, so that the same file can be picked again after its removal.
          event.target.value = ''
          onFiles(files)
        }}
      />
      <svg viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="1.6" aria-hidden="true">
        {isCamera ? (
          <path d="M4 8h3l2-3h6l2 3h3v11H4z M12 17a4 4 0 1 0 0-8 4 4 0 0 0 0 8z" />
        ) : (
          <path d="M4 5h16v14H4z M4 16l5-5 4 4 3-3 4 4 M15.5 9.5h.01" />
        )}
      </svg>
      {label}
    </label>
  )
}
