import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import type { Fence } from '@saddle/contract/geography/fences.ts'
import { fenceManageEndpoints, type FenceVersion, type ManagedFence } from '@saddle/contract/geography/manage.ts'
import { gcj02Of, type Datum } from '@saddle/geo/gcj02.ts'
import { areaM2Of } from '@saddle/geo/shape.ts'
import { useAction } from '#kit/action/useAction.ts'
import { call } from '#kit/api/client.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { FencePreview } from '#kit/map/FencePreview.tsx'
import { PhotoStrip } from '#kit/photos/PhotoStrip.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Empty, ErrorState, Loading } from '#kit/ui/states.tsx'
import { Standing } from './FenceTable.tsx'
import { useRemoval } from './useRemoval.tsx'
import { draftOf, fenceReadings, hoursWord, shapeOf, sizeWord } from './words.ts'

interface Props {
  readonly lineId: number
  readonly datum: Datum
  /** With its figures, where the list has it. */
  readonly listed: ManagedFence | undefined
  readonly onEdit: (fence: Fence) => void
  readonly onClose: () => void
}

/** One fence with its facts, its versions and the way back to each of them. */
export function FenceCard({ lineId, datum, listed, onEdit, onClose }: Props): ReactNode {
  const { data, error, refetch } = useEndpoint(fenceManageEndpoints.electricFence, { lineId }, { quiet: true })
  const [seen, setSeen] = useState<number | null>(null)
  const removal = useRemoval(onClose)
  const { restore, isRestoring } = useRestore(lineId)
  const versions = data?.data.list
  const [last] = versions ?? []
  if (last === undefined) {
    if (error?.code === 'not_found') {
      const back = <Button onClick={onClose}>{t('返回列表')}</Button>
      return <Empty title={t('没有这个围栏，或您无权查看')} action={back} />
    }
    return error === null ? <Loading /> : <ErrorState error={error} onRetry={() => void refetch()} />
  }
  const shown = versions?.find(({ version }) => version === seen)
  const isGone = last.validTo !== null
  return (
    <article className="fences-card">
      {shown !== undefined && <FencePreview id="old-version" list={[shown]} />}
      <header>
        <h2>{last.name}</h2>
        <button type="button" className="fences-close" aria-label={t('关闭')} onClick={onClose}>
          ×
        </button>
      </header>
      {isGone && (
        <p className="fences-note" data-tone="warn">
          {t('已由 {{name}} 于 {{time}} 删除', { name: last.removedBy ?? '--', time: dateTime(last.validTo) })}
        </p>
      )}
      <Facts fence={last} datum={datum} listed={listed} />
      <Photos fence={shown ?? last} />
      <div className="fences-acts">
        {!isGone && (
          <Button look="primary" onClick={() => onEdit(last)}>
            {t('编辑')}
          </Button>
        )}
        {isGone && (
          <Button look="primary" busy={isRestoring} onClick={() => restore(last, last)}>
            {t('恢复')}
          </Button>
        )}
        {!isGone && last.kind !== 'service_area' && <Button onClick={() => removal.ask([last])}>{t('删除')}</Button>}
      </div>
      <h3>{t('版本')}</h3>
      <ol className="fences-versions">
        {versions?.map((version) => (
          <Version
            key={version.version}
            version={version}
            isLast={version.version === last.version}
            isShown={seen === version.version}
            isBusy={isRestoring}
            onShow={() => setSeen(seen === version.version ? null : version.version)}
            onRestore={() => restore(version, last)}
          />
        ))}
      </ol>
      {removal.dialog}
    </article>
  )
}

interface FactsProps {
  readonly fence: Fence
  readonly datum: Datum
  readonly listed: ManagedFence | undefined
}

function Facts({ fence, datum, listed }: FactsProps): ReactNode {
  const { kind, centre } = fence
  const { lng, lat } = datum === 'gcj02' ? gcj02Of(centre) : centre
  const at = `${lng.toFixed(5)},${lat.toFixed(5)}`
  return (
    <dl className="fences-facts">
      {listed !== undefined && kind !== 'service_area' && <Fact name={t('服务区')}>{listed.areaName}</Fact>}
      {kind === 'parking' && <Fact name={t('容量')}>{fence.capacity ?? '--'}</Fact>}
      {kind === 'parking' && <Fact name={t('开放时间')}>{hoursWord(fence)}</Fact>}
      {listed !== undefined && kind !== 'service_area' && (
        <Fact name={t('当前车辆')}>
          <Link to={`/vehicle/operation-map?lat=${centre.lat}&lng=${centre.lng}&zoom=17`}>
            <Standing fence={listed} />
          </Link>
        </Fact>
      )}
      {listed !== undefined && <Fact name={t('近 7 天还车')}>{listed.returns}</Fact>}
      <Fact name={t('面积')}>{sizeWord(areaM2Of(shapeOf(fence)))}</Fact>
      {fence.radiusM !== null && <Fact name={t('半径')}>{t('{{metres}} 米', { metres: fence.radiusM })}</Fact>}
      <Fact name={datum === 'gcj02' ? t('中心（GCJ-02）') : t('中心')}>{at}</Fact>
    </dl>
  )
}

/** Of the version that is looked at. */
function Photos({ fence: { lineId, version, photoIds } }: { readonly fence: Fence }): ReactNode {
  return (
    <PhotoStrip
      of={['fence', lineId, version]}
      count={photoIds.length}
      label={t('现场照片')}
      load={async (signal) => {
        const { data } = await call(fenceManageEndpoints.fencePhotos, { lineId, version }, { signal })
        return data.photos
      }}
    />
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: ReactNode }): ReactNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

function useRestore(lineId: number) {
  const update = useAction(fenceManageEndpoints.updateElectricFences, {
    stale: fenceReadings,
    done: (_answer, { changes }) => t('已恢复为第 {{version}} 版的样子', { version: changes[0]?.restoredFrom ?? 1 }),
  })
  const restore = (version: FenceVersion, last: FenceVersion): void =>
    update.send({ changes: [{ lineId, version: last.version, ...draftOf(version), restoredFrom: version.version }] })
  return { restore, isRestoring: update.isBusy }
}

interface VersionProps {
  readonly version: FenceVersion
  readonly isLast: boolean
  readonly isShown: boolean
  readonly isBusy: boolean
  readonly onShow: () => void
  readonly onRestore: () => void
}

function Version({ version, isLast, isShown, isBusy, onShow, onRestore }: VersionProps): ReactNode {
  const { authorName, note, restoredFrom, validFrom, validTo } = version
  return (
    <li>
      <p>
        <strong>v{version.version}</strong> {version.name}
        <span className="fences-quiet">
          {dateTime(validFrom)} – {validTo === null ? t('现行') : dateTime(validTo)}
        </span>
      </p>
      <p className="fences-quiet">
        {authorName === '' ? t('系统') : authorName}
        {restoredFrom !== null && ` · ${t('恢复自第 {{version}} 版', { version: restoredFrom })}`}
        {note !== '' && ` · ${note}`}
      </p>
      {!isLast && (
        <p className="fences-acts">
          <button type="button" className="fences-name" aria-pressed={isShown} onClick={onShow}>
            {isShown ? t('收起') : t('在地图上看')}
          </button>
          <button type="button" className="fences-name" disabled={isBusy} onClick={onRestore}>
            {t('恢复此版本')}
          </button>
        </p>
      )}
    </li>
  )
}
