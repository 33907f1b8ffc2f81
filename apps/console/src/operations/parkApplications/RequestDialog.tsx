import { lazy, Suspense, type ReactNode } from 'react'
import {
  parkApplicationEndpoints,
  parkApplicationPhotosMax,
  type ParkApplication,
} from '@saddle/contract/operations/parkApplications.ts'
import { areaEndpoints } from '@saddle/contract/organisation/areas.ts'
import type { LatLng } from '@saddle/geo/earth.ts'
import { loadChunk } from '#kit/chunk.tsx'
import { select } from '#kit/form/choiceFields.tsx'
import type { ControlProps, Field } from '#kit/form/field.ts'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { photos } from '#kit/form/otherFields.tsx'
import { longText, number, text } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'
import { positionNow } from '#kit/map/position.ts'
import { notify } from '#kit/notify.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Loading } from '#kit/ui/states.tsx'
import { staleApplications } from './DecideForm.tsx'
import './parkApplications.css'

const ParkMap = lazy(() => loadChunk(() => import('./ParkMap.tsx')))

/** A request for a parking spot: where, how large, why, and a picture of it. */
export default function RequestDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const { data } = useEndpoint(areaEndpoints.listServiceAreas, {}, { staleMs: 300_000, quiet: true })
  const areas = data?.data.list ?? []
  return (
    <FormDialog
      title={t('申请停车点')}
      widthPx={560}
      call={parkApplicationEndpoints.submitParkApplication}
      about="new"
      fields={{
        areaId: select({
          label: t('服务区'),
          isLoading: data === undefined,
          options: areas.map(({ id, name }) => ({ value: id, label: name })),
        }),
        name: text({ label: t('停车点名称') }),
        where: whereField(),
        radiusM: number({ label: t('半径'), unit: t('米'), initial: 15, decimals: 1 }),
        capacity: number({ label: t('容量'), unit: t('辆'), initial: 20 }),
        reason: longText({ label: t('理由') }),
        photos: photos({ label: t('现场照片'), max: parkApplicationPhotosMax }),
      }}
      input={({ where, ...rest }) => ({ ...rest, ...where })}
      submit={t('提交申请')}
      stale={staleApplications}
      done={(_, { name }) => t('已提交申请“{{name}}”，等待审批', { name })}
      onClose={onClose}
    >
      {({ areaId, name, where, radiusM }) => {
        const at = pointOf(where)
        if (at === null || areaId === null || !(Number(radiusM) > 0)) return null
        return <Preview park={{ ...at, areaId, name, radiusM: Number(radiusM) }} />
      }}
    </FormDialog>
  )
}

function Preview({ park }: { readonly park: Pick<ParkApplication, 'areaId' | 'name' | 'lat' | 'lng' | 'radiusM'> }) {
  return (
    <div className="park-map">
      <Suspense fallback={<Loading />}>
        <ParkMap park={park} />
      </Suspense>
    </div>
  )
}

/** A place as two numbers, typed or taken from the device. */
const whereField = (): Field<string, LatLng> => ({
  label: t('纬度, 经度（WGS-84）'),
  at: 'lat',
  initial: '',
  read: (value) => {
    const at = pointOf(value)
    return at === null ? { fault: t('位置须为“纬度, 经度”，例如 31.29890, 120.58530') } : { value: at }
  },
  control: (props) => <Where {...props} />,
})

function Where({ id, value, onChange, isInvalid, describedBy }: ControlProps<string>) {
  const locate = async () => {
    const found = await positionNow()
    if (found === null) {
      notify.warning({ text: t('无法取得当前位置，请手动填写') })
      return
    }
    onChange(`${found.lat.toFixed(6)}, ${found.lng.toFixed(6)}`)
  }
  return (
    <span className="park-where">
      <input
        id={id}
        className="form-input"
        autoComplete="off"
        maxLength={40}
        value={value}
        aria-invalid={isInvalid}
        aria-describedby={describedBy}
        onChange={({ target }) => onChange(target.value)}
      />
      {'geolocation' in navigator && <Button onClick={() => void locate()}>{t('使用当前位置')}</Button>}
    </span>
  )
}

function pointOf(typed: string): LatLng | null {
  const found = /^\s*(-?\d{1,2}(?:\.\d+)?)\s*[,，\s]\s*(-?\d{1,3}(?:\.\d+)?)\s*$/.exec(typed)
  const [lat, lng] = [Number(found?.[1]), Number(found?.[2])]
  return found === null || Math.abs(lat) > 90 || Math.abs(lng) > 180 ? null : { lat, lng }
}
