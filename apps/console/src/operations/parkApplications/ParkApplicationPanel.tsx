import { lazy, Suspense, type ReactNode } from 'react'
import { parkApplicationEndpoints, type ParkApplication } from '@saddle/contract/operations/parkApplications.ts'
import { useAction } from '#kit/action/useAction.ts'
import { call } from '#kit/api/client.ts'
import { loadChunk } from '#kit/chunk.tsx'
import { dateTime, number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DetailPanel } from '#kit/list/DetailPanel.tsx'
import { PhotoStrip } from '#kit/photos/PhotoStrip.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { Facts } from '#kit/ui/Facts.tsx'
import { Permit } from '#kit/ui/Permit.tsx'
import { Loading } from '#kit/ui/states.tsx'
import { DecideForm, staleApplications } from './DecideForm.tsx'
import { ParkApplicationMark } from './ParkApplicationMark.tsx'
import './parkApplications.css'

const ParkMap = lazy(() => loadChunk(() => import('./ParkMap.tsx')))

interface Props {
  readonly application: ParkApplication
  readonly onDecided: () => void
}

/** One request with its place on the map, among the parking spots that are there already. */
export function ParkApplicationPanel({ application, onDecided }: Props): ReactNode {
  const { id, name, state, photos } = application
  return (
    <DetailPanel
      label={t('申请详情')}
      title={
        <span className="park-title">
          {name} <ParkApplicationMark state={state} />
        </span>
      }
      {...(state === 'waiting' && { foot: <Acts application={application} onDecided={onDecided} /> })}
    >
      <div className="park-map">
        <Suspense fallback={<Loading />}>
          <ParkMap park={application} />
        </Suspense>
      </div>
      {photos > 0 && (
        <PhotoStrip
          of={['park', id]}
          count={photos}
          load={async (signal) =>
            (await call(parkApplicationEndpoints.parkApplicationPhotos, { id }, { signal })).data.photos
          }
        />
      )}
      <Facts facts={factsOf(application)} />
    </DetailPanel>
  )
}

function factsOf(application: ParkApplication): readonly (readonly [string, ReactNode])[] {
  const { lat, lng, nearestM, decidedBy, note } = application
  return [
    [t('近 30 天还车'), t('{{count}} 次还车', { count: application.returns })],
    ...(nearestM === null ? [] : [[t('最近的停车点'), t('{{text}} 米', { text: number(nearestM) })] as const]),
    [t('理由'), application.reason],
    [t('服务区'), application.areaName],
    [t('位置'), `${lat.toFixed(5)}, ${lng.toFixed(5)}`],
    [t('半径'), t('{{count}} 米', { count: application.radiusM })],
    [t('容量'), t('{{count}} 辆', { count: application.capacity })],
    [t('申请人'), `${application.applicantName} · ${dateTime(application.appliedAt)}`],
    ...(decidedBy === null ? [] : [[t('审批人'), `${decidedBy} · ${dateTime(application.decidedAt)}`] as const]),
    ...(note === '' ? [] : [[t('审批意见'), note] as const]),
  ]
}

function Acts({ application, onDecided }: Props) {
  if (application.isOwn) return <Withdraw application={application} />
  return (
    <Permit action="091001">
      <DecideForm chosen={[application]} onDone={onDecided} hasKeys />
    </Permit>
  )
}

function Withdraw({ application: { id, name } }: { readonly application: ParkApplication }) {
  const withdraw = useAction(parkApplicationEndpoints.withdrawParkApplication, {
    stale: staleApplications,
    done: () => t('已撤回申请“{{name}}”', { name }),
  })
  return (
    <Button busy={withdraw.isBusy} onClick={() => withdraw.send({ id })}>
      {t('撤回申请“{{name}}”', { name })}
    </Button>
  )
}
