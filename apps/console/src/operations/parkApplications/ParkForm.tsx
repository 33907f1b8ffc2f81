import Modal from 'antd/es/modal'
import Select from 'antd/es/select'
import { lazy, Suspense, useState, type ReactNode } from 'react'
import {
  parkCapacityMax,
  parkEndpoints,
  parkPhotosMax,
  parkRadiusM,
} from '@saddle/contract/operations/parkApplications.ts'
import { areaEndpoints } from '@saddle/contract/organisation/areas.ts'
import { loadChunk } from '#kit/chunk.tsx'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { PhotoPicker } from '#kit/photos/PhotoPicker.tsx'
import type { PickedPhoto } from '#kit/photos/shrink.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Loading } from '#kit/ui/states.tsx'
import { useSend } from '../parts/useSend.ts'

const ParkMap = lazy(() => loadChunk(() => import('./ParkMap.tsx')))
const locateTimeoutMs = 10_000

/** A wish for a parking place: where, how large, why, and a picture of it. */
export default function ParkForm({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [areaId, setAreaId] = useState<number | null>(null)
  const [name, setName] = useState('')
  const [where, setWhere] = useState('')
  const [radius, setRadius] = useState('15')
  const [capacity, setCapacity] = useState('20')
  const [reason, setReason] = useState('')
  const [photos, setPhotos] = useState<readonly PickedPhoto[]>([])
  const { data } = useEndpoint(areaEndpoints.listServiceAreas, {}, { staleMs: 300_000, quiet: true })
  const { send, isPending } = useSend(parkEndpoints.submitParkApplication, {
    invalidates: [parkEndpoints.listParkApplications],
    onSuccess: () => {
      notify.success({ text: t('已提交申请“{{name}}”，等待审批', { name: name.trim() }) })
      onClose()
    },
  })
  const place = placeOf(where)
  const radiusM = numberIn(radius, parkRadiusM.min, parkRadiusM.max)
  const room = numberIn(capacity, 1, parkCapacityMax)
  const locate = () =>
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => setWhere(`${coords.latitude.toFixed(6)}, ${coords.longitude.toFixed(6)}`),
      () => notify.warning({ text: t('无法取得当前位置，请手动填写') }),
      { enableHighAccuracy: true, timeout: locateTimeoutMs },
    )
  const isReady =
    areaId !== null &&
    name.trim() !== '' &&
    reason.trim() !== '' &&
    place !== null &&
    radiusM !== null &&
    room !== null &&
    Number.isInteger(room)
  return (
    <Modal open width={560} footer={null} title={t('申请停车点')} onCancel={onClose}>
      <form
        className="work-form"
        onSubmit={(event) => {
          event.preventDefault()
          if (!isReady) return
          const shape = { ...place, radiusM, capacity: room }
          const files = photos.map(({ base64 }) => base64)
          send({ areaId, name: name.trim(), reason: reason.trim(), photos: files, ...shape })
        }}
      >
        <label>
          {t('服务区')}
          <Select<number>
            className="filter-select"
            {...(areaId !== null && { value: areaId })}
            showSearch={{ optionFilterProp: 'label' }}
            options={(data?.data.list ?? []).map((area) => ({ value: area.id, label: area.name }))}
            onChange={setAreaId}
          />
        </label>
        <Text label={t('停车点名称')} value={name} max={80} onChange={setName} />
        <div className="work-pair">
          <Text label={t('纬度, 经度（WGS-84）')} value={where} max={40} onChange={setWhere} />
          <Text label={t('半径（米）')} value={radius} max={5} onChange={setRadius} />
          <Text label={t('容量（辆）')} value={capacity} max={4} onChange={setCapacity} />
        </div>
        {'geolocation' in navigator && <Button onClick={locate}>{t('使用当前位置')}</Button>}
        {where !== '' && place === null && <p role="alert">{t('位置须为“纬度, 经度”，例如 31.29890, 120.58530')}</p>}
        {place !== null && radiusM !== null && areaId !== null && (
          <div className="work-map">
            <Suspense fallback={<Loading />}>
              <ParkMap park={{ ...place, areaId, name: name.trim(), radiusM }} />
            </Suspense>
          </div>
        )}
        <label>
          {t('理由')}
          <textarea value={reason} maxLength={200} onChange={(event) => setReason(event.target.value)} />
        </label>
        <PhotoPicker value={photos} onChange={setPhotos} max={parkPhotosMax} label={t('现场照片')} />
        <div className="work-foot">
          <Button onClick={onClose}>{t('取消')}</Button>
          <Button type="submit" look="primary" busy={isPending} disabled={!isReady}>
            {t('提交申请')}
          </Button>
        </div>
      </form>
    </Modal>
  )
}

function placeOf(text: string): { lat: number; lng: number } | null {
  const found = /^\s*(-?\d{1,2}(?:\.\d+)?)\s*[,，\s]\s*(-?\d{1,3}(?:\.\d+)?)\s*$/.exec(text)
  const [lat, lng] = [Number(found?.[1]), Number(found?.[2])]
  return found === null || Math.abs(lat) > 90 || Math.abs(lng) > 180 ? null : { lat, lng }
}

function numberIn(text: string, min: number, max: number): number | null {
  const value = Number(text)
  return text.trim() !== '' && Number.isFinite(value) && value >= min && value <= max ? value : null
}

interface TextProps {
  readonly label: string
  readonly value: string
  readonly max: number
  readonly onChange: (text: string) => void
}

function Text({ label, value, max, onChange }: TextProps) {
  return (
    <label>
      {label}
      <input
        className="filter-keyword"
        value={value}
        maxLength={max}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  )
}
