import type { ReactNode } from 'react'
import { adEndpoints, adSlotRules, type AdSlot } from '@saddle/contract/marketing/ads.ts'
import { useAction } from '#kit/action/useAction.ts'
import type { Common, ControlProps, Field } from '#kit/form/field.ts'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { shrink } from '#kit/photos/shrink.ts'
import { urlOfPhoto } from '#kit/photos/urls.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'

interface PictureOptions extends Common {
  readonly initial: string | null
  readonly agentId: number
  readonly slot: AdSlot
}

/** One picture of the size of a slot, uploaded as soon as it is picked. */
export function picture(options: PictureOptions): Field<string | null, string | null> {
  const { initial, agentId, slot, ...rest } = options
  return {
    ...rest,
    isGroup: true,
    initial,
    read: (value) => ({ value }),
    control: (props) => <Picture {...props} agentId={agentId} slot={slot} />,
  }
}

/** The picture that was kept; nothing until it is there. */
export function AdPicture({ photoId, alt }: { photoId: string; alt: string }): ReactNode {
  const { data } = useEndpoint(
    adEndpoints.adPictures,
    { ids: [photoId] },
    { staleMs: Number.POSITIVE_INFINITY, quiet: true },
  )
  const photo = data?.data.list[0]
  return photo === undefined ? (
    <span className="ad-picture-missing">{t('图片加载中')}</span>
  ) : (
    <img className="ad-picture" src={urlOfPhoto(photo)} width={photo.width} height={photo.height} alt={alt} />
  )
}

function Picture(props: ControlProps<string | null> & { readonly agentId: number; readonly slot: AdSlot }) {
  const { label, value, onChange, agentId, slot } = props
  const keep = useAction(adEndpoints.keepAdPicture, { onDone: ({ data }) => onChange(data.photoId) })
  const { ratio, minWidth } = adSlotRules[slot]
  const upload = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return
    try {
      const { base64 } = await shrink(file)
      keep.send({ agentId, slot, photo: base64 })
    } catch {
      notify.error({ text: t('{{name}} 不是可以识别的照片', { name: file.name }) })
    }
  }
  return (
    <div className="ad-picker">
      {value !== null && <AdPicture photoId={value} alt={label} />}
      <span className="form-choices">
        <label className="ad-upload" aria-busy={keep.isBusy}>
          {keep.isBusy ? t('正在上传') : value === null ? t('选择图片') : t('更换图片')}
          <input
            type="file"
            accept="image/*"
            className="visually-hidden"
            aria-label={t('选择{{label}}', { label })}
            onChange={(event) => {
              const [file] = event.target.files ?? []
              event.target.value = ''
              void upload(file)
            }}
          />
        </label>
        {value !== null && <Button onClick={() => onChange(null)}>{t('移除图片')}</Button>}
      </span>
      <small className="form-hint">
        {t('比例 {{ratio}}，宽度至少 {{width}} 像素', { ratio: ratio.join(':'), width: minWidth })}
      </small>
    </div>
  )
}
