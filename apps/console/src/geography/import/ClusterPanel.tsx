import { useState, type ReactNode } from 'react'
import { fenceManageEndpoints, type FenceDraft, type ReturnCluster } from '@saddle/contract/geography/manage.ts'
import { boxOf } from '@saddle/geo/shape.ts'
import { t } from '#kit/i18n/index.ts'
import { One } from '#kit/list/Choices.tsx'
import { FencePreview } from '#kit/map/FencePreview.tsx'
import { FenceShapes } from '#kit/map/FenceShapes.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { Field } from '#kit/plain/Field.tsx'
import { useEndpoint } from '#kit/query.ts'
import { useTheme } from '#kit/theme/settings.ts'
import { Empty, ErrorState, Loading } from '#kit/ui/states.tsx'
import type { EditorProps } from '../editor/FenceEditor.tsx'
import { useSave } from '../editor/useSave.ts'
import { Beside } from '../fences/Side.tsx'
import { AreaChoice } from './AreaChoice.tsx'

const dayChoices = [7, 14, 30, 60, 90] as const
const leastChoices = [5, 10, 20, 50] as const

/** Where riders really leave vehicles beside the parking places: some of these become parking places. */
export function ClusterPanel({ drawn, onFocus, onDone }: EditorProps): ReactNode {
  const theme = useTheme().appearance
  const [asked, setAsked] = useState<Asked>({ areaId: undefined, days: 30, returnsMin: 10 })
  const { days, returnsMin } = asked
  const areaId = asked.areaId ?? drawn.find(({ kind }) => kind === 'service_area')?.areaId
  const [taken, setTaken] = useState<ReadonlySet<string>>(new Set())
  const [prefix, setPrefix] = useState(t('新停车点'))
  const { data, error, isFetching, refetch } = useEndpoint(
    fenceManageEndpoints.returnClusters,
    { areaId: areaId ?? 1, days, returnsMin },
    { enabled: areaId !== undefined, quiet: true },
  )
  const saving = useSave({ fence: null, onDone })
  const list = data?.data.list ?? []
  const names = new Set(drawn.filter((fence) => fence.areaId === areaId).map(({ name }) => name))
  const drafts = draftsOf(
    list.filter((cluster) => taken.has(keyOf(cluster))),
    { prefix: prefix.trim() || t('新停车点'), names },
  )
  return (
    <>
      <FenceShapes list={drawn} theme={theme} />
      <FencePreview id="clusters" list={list.map((cluster) => shown(cluster, !taken.has(keyOf(cluster))))} />
      <Beside>
        <h2 className="fences-title">{t('从还车聚集处新增停车点')}</h2>
        <div className="fences-form">
          <Conditions
            value={{ areaId, days, returnsMin }}
            onChange={(part) => {
              setAsked({ ...asked, ...part })
              setTaken(new Set())
            }}
          />
          <Field
            label={t('名称前缀')}
            value={prefix}
            maxLength={40}
            onChange={(event) => setPrefix(event.target.value)}
          />
          {error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
          {isFetching && data === undefined && <Loading />}
          {data !== undefined && list.length === 0 && <Empty title={t('停车点之外没有聚集的还车')} />}
          {data !== undefined && list.length > 0 && (
            <p className="fences-quiet">
              {t('停车点之外的 {{count}} 次还车中找到 {{places}} 处', {
                count: data.data.returns,
                places: list.length,
              })}
            </p>
          )}
          <Clusters list={list} taken={taken} isFetching={isFetching} onTake={setTaken} onFocus={onFocus} />
          <div className="fences-foot">
            <Button onClick={() => onDone(null)}>{t('取消')}</Button>
            <Button
              look="primary"
              busy={saving.isSaving}
              disabled={drafts.length === 0 || areaId === undefined}
              onClick={() => {
                if (areaId === undefined) return
                saving.save({ kind: 'parking', areaId, drafts, joined: [], note: t('由还车聚集处新增') })
              }}
            >
              {t('新增 {{count}} 个停车点', { count: drafts.length })}
            </Button>
          </div>
        </div>
      </Beside>
    </>
  )
}

interface Asked {
  readonly areaId: number | undefined
  readonly days: number
  readonly returnsMin: number
}

interface ConditionsProps {
  readonly value: Asked
  readonly onChange: (part: Partial<Asked>) => void
}

function Conditions({ value: { areaId, days, returnsMin }, onChange }: ConditionsProps): ReactNode {
  return (
    <div className="fences-two">
      <AreaChoice value={areaId} onChange={(next) => onChange({ areaId: next })} />
      <One
        label={t('时间')}
        value={days}
        options={dayChoices.map((value) => ({ value, label: t('近 {{count}} 天', { count: value }) }))}
        onChange={(next) => onChange({ days: next ?? 30 })}
      />
      <One
        label={t('最少还车次数')}
        value={returnsMin}
        options={leastChoices.map((value) => ({ value, label: t('至少 {{count}} 次', { count: value }) }))}
        onChange={(next) => onChange({ returnsMin: next ?? 10 })}
      />
    </div>
  )
}

interface ClustersProps extends Pick<EditorProps, 'onFocus'> {
  readonly list: readonly ReturnCluster[]
  readonly taken: ReadonlySet<string>
  readonly isFetching: boolean
  readonly onTake: (taken: ReadonlySet<string>) => void
}

function Clusters({ list, taken, isFetching, onTake, onFocus }: ClustersProps): ReactNode {
  const toggle = (cluster: ReturnCluster): void => {
    const next = new Set(taken)
    const key = keyOf(cluster)
    if (!next.delete(key)) next.add(key)
    onTake(next)
  }
  return (
    <>
      {list.length > 1 && (
        <label className="fences-check">
          <input
            type="checkbox"
            checked={taken.size === list.length}
            onChange={({ target }) => onTake(new Set(target.checked ? list.map(keyOf) : []))}
          />
          {t('全选')}
        </label>
      )}
      <ul className="fences-incoming" aria-busy={isFetching}>
        {list.map((cluster) => (
          <li key={keyOf(cluster)}>
            <label>
              <input type="checkbox" checked={taken.has(keyOf(cluster))} onChange={() => toggle(cluster)} />
              {t('{{count}} 次，半径 {{radius}} 米', { count: cluster.returns, radius: cluster.radiusM })}
            </label>
            <button
              type="button"
              className="fences-name"
              onClick={() => onFocus(boxOf({ centre: cluster.centre, radiusM: cluster.radiusM * 2 }))}
            >
              {t('定位')}
            </button>
            <small>
              {t('其中收费 {{charged}} 次，最多一天 {{busiest}} 次', {
                charged: cluster.charged,
                busiest: cluster.busiestDay,
              })}
              {cluster.nearestM !== null && ` · ${t('距最近停车点 {{metres}} 米', { metres: cluster.nearestM })}`}
            </small>
          </li>
        ))}
      </ul>
    </>
  )
}

const keyOf = ({ centre }: ReturnCluster): string => `${centre.lat} ${centre.lng}`

function shown(cluster: ReturnCluster, isOff: boolean) {
  const { centre, radiusM, returns } = cluster
  return { name: String(returns), ring: null, holes: [], centre, radiusM, isOff }
}

/** A place for as many vehicles as came on the busiest day; names already in use are skipped. */
function draftsOf(
  clusters: readonly ReturnCluster[],
  { prefix, names }: { prefix: string; names: ReadonlySet<string> },
): FenceDraft[] {
  let number = 0
  return clusters.map(({ centre, radiusM, busiestDay }) => {
    do number += 1
    while (names.has(`${prefix} ${number}`))
    const at = { lat: Math.round(centre.lat * 1e6) / 1e6, lng: Math.round(centre.lng * 1e6) / 1e6 }
    return {
      name: `${prefix} ${number}`,
      capacity: Math.max(5, busiestDay),
      hours: null,
      shape: { centre: at, radiusM },
    }
  })
}
