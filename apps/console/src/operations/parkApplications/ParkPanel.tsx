import { lazy, Suspense, useMemo, type ReactNode } from 'react'
import { parkEndpoints, parkStateLabels, type ParkApplication } from '@saddle/contract/operations/parkApplications.ts'
import { call } from '#kit/api/client.ts'
import { loadChunk } from '#kit/chunk.tsx'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { PhotoStrip } from '#kit/photos/PhotoStrip.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { Loading } from '#kit/ui/states.tsx'
import { useSend } from '../parts/useSend.ts'
import { ParkDecide } from './ParkDecide.tsx'

const ParkMap = lazy(() => loadChunk(() => import('./ParkMap.tsx')))

/** One application with its place on the map, among the places that are there already. */
export function ParkPanel({
  park,
  onClose,
}: {
  readonly park: ParkApplication
  readonly onClose: () => void
}): ReactNode {
  const { id, name, state, isOwn } = park
  const withdraw = useSend(parkEndpoints.withdrawParkApplication, {
    invalidates: [parkEndpoints.listParkApplications],
    onSuccess: () => notify.success({ text: t('已撤回申请“{{name}}”', { name }) }),
  })
  const decidable = useMemo(() => (state === 'waiting' && !isOwn ? [park] : []), [park, state, isOwn])
  const facts: readonly (readonly [string, ReactNode])[] = [
    [t('状态'), t(parkStateLabels[state])],
    [t('服务区'), park.areaName],
    [t('位置'), `${park.lat.toFixed(5)}, ${park.lng.toFixed(5)}`],
    [t('半径'), t('{{count}} 米', { count: park.radiusM })],
    [t('容量'), t('{{count}} 辆', { count: park.capacity })],
    [t('近 30 天还车'), t('{{count}} 次', { count: park.returns })],
    [t('理由'), park.reason],
    [t('申请人'), `${park.applicantName} · ${dateTime(park.appliedAt)}`],
    [t('审批人'), park.decidedBy === null ? '' : `${park.decidedBy} · ${dateTime(park.decidedAt)}`],
    [t('审批意见'), park.note],
  ]
  return (
    <aside className="page-card work-panel" aria-label={t('申请详情')}>
      <header>
        <strong>{name}</strong>
        <Button look="quiet" onClick={onClose}>
          {t('收起')}
        </Button>
      </header>
      <div className="work-map">
        <Suspense fallback={<Loading />}>
          <ParkMap park={park} />
        </Suspense>
      </div>
      <ParkDecide parks={decidable} onDone={() => {}} />
      {state === 'waiting' && isOwn && (
        <Button busy={withdraw.isPending} onClick={() => withdraw.send({ id })}>
          {t('撤回申请“{{name}}”', { name })}
        </Button>
      )}
      <dl className="work-facts">
        {facts
          .filter(([, value]) => value !== '')
          .map(([title, value]) => [<dt key={`${title} t`}>{title}</dt>, <dd key={title}>{value}</dd>])}
      </dl>
      {park.photos > 0 && (
        <PhotoStrip
          of={['park', id]}
          count={park.photos}
          load={async (signal) => (await call(parkEndpoints.parkApplicationPhotos, { id }, { signal })).data.photos}
        />
      )}
    </aside>
  )
}
