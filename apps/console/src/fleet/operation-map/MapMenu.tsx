import Popover from 'antd/es/popover'
import type { ReactNode } from 'react'
import { heatKindLabels, heatKinds } from '@saddle/contract/fleet/analysis.ts'
import { searchEndpoints } from '@saddle/contract/fleet/search.ts'
import { areaEndpoints } from '@saddle/contract/organisation/areas.ts'
import { holdsPermission } from '@saddle/contract/permissions.ts'
import { dayMs } from '@saddle/contract/time.ts'
import { serverNow } from '#kit/clock.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { usePermissions } from '#kit/session/permissions.ts'
import { Many } from '#kit/list/Choices.tsx'
import { SelectOne } from '#kit/ui/SelectOne.tsx'
import { narrowings, type MapMode } from './mode.ts'
import type { NearestState } from './useNearest.ts'

interface Props {
  readonly mode: MapMode
  readonly onMode: (change: Partial<MapMode>) => void
  readonly lasso: boolean
  readonly onLasso: () => void
  readonly nearest: NearestState
}

/** What the map shows besides vehicles, which vehicles, and what can be done with them. */
export function MapMenu({ mode, onMode, lasso, onLasso, nearest }: Props): ReactNode {
  const count = narrowings(mode)
  const { held } = usePermissions()
  const mayAct = holdsPermission(held, '030101') || holdsPermission(held, '090901')
  return (
    <div className="om-menu" role="toolbar" aria-label={t('地图工具')}>
      <Button
        disabled={mode.at !== null || nearest.isBusy}
        title={t('到最近的有告警、任务或低电量的车辆')}
        onClick={nearest.start}
      >
        {t('最近待处理')}
      </Button>
      <Popover trigger="click" placement="bottomRight" content={<Layers mode={mode} onMode={onMode} />}>
        <Button aria-pressed={mode.fences || mode.heat !== null}>{t('图层')}</Button>
      </Popover>
      <Popover trigger="click" placement="bottomRight" content={<Narrow mode={mode} onMode={onMode} />}>
        <Button aria-pressed={count > 0}>{count === 0 ? t('筛选') : t('筛选 · {{count}}', { count })}</Button>
      </Popover>
      {mayAct && (
        <Button aria-pressed={lasso} disabled={mode.at !== null} onClick={onLasso}>
          {t('框选')}
        </Button>
      )}
      <Button
        aria-pressed={mode.at !== null}
        onClick={() => onMode({ at: mode.at === null ? serverNow() - dayMs : null })}
      >
        {t('时间回溯')}
      </Button>
    </div>
  )
}

type PartProps = Pick<Props, 'mode' | 'onMode'>

function Layers({ mode, onMode }: PartProps) {
  return (
    <div className="om-menu-card">
      <label>
        <input type="checkbox" checked={mode.fences} onChange={(event) => onMode({ fences: event.target.checked })} />{' '}
        {t('围栏与停车点')}
      </label>
      <fieldset>
        <legend>{t('热力图')}</legend>
        <label>
          <input type="radio" name="heat" checked={mode.heat === null} onChange={() => onMode({ heat: null })} />{' '}
          {t('不显示')}
        </label>
        {heatKinds.map((kind) => (
          <label key={kind}>
            <input type="radio" name="heat" checked={mode.heat === kind} onChange={() => onMode({ heat: kind })} />{' '}
            {t(heatKindLabels[kind])}
            <small>{kind === 'idle' ? t('闲置 12 小时以上') : t('近 7 天')}</small>
          </label>
        ))}
      </fieldset>
    </div>
  )
}

function Narrow({ mode, onMode }: PartProps) {
  const areas = useEndpoint(areaEndpoints.listServiceAreas, {}, { staleMs: 300_000, quiet: true })
  const choices = useEndpoint(searchEndpoints.vehicleChoices, {}, { staleMs: 300_000, quiet: true })
  return (
    <div className="om-menu-card">
      <label>
        {t('电量不高于')}
        <SelectOne<number | ''>
          label={t('电量不高于')}
          value={mode.batteryTo ?? ''}
          options={[
            { value: '', label: t('不限') },
            ...[10, 20, 30, 50].map((percent) => ({ value: percent, label: `${percent}%` })),
          ]}
          onChange={(percent) => onMode({ batteryTo: percent === '' ? null : percent })}
        />
      </label>
      <label>
        {t('闲置超过')}
        <SelectOne<number | ''>
          label={t('闲置超过')}
          value={mode.idleHours ?? ''}
          options={[
            { value: '', label: t('不限') },
            ...[6, 12, 24, 48, 72].map((hours) => ({ value: hours, label: t('{{hours}} 小时', { hours }) })),
          ]}
          onChange={(hours) => onMode({ idleHours: hours === '' ? null : hours })}
        />
      </label>
      <Many
        label={t('服务区')}
        value={mode.areaIds}
        options={(areas.data?.data.list ?? []).map((area) => ({ value: area.id, label: area.name }))}
        onChange={(areaIds) => onMode({ areaIds: areaIds ?? [] })}
      />
      <Many
        label={t('型号')}
        value={mode.models}
        options={(choices.data?.data.models ?? []).map((name) => ({ value: name, label: name }))}
        onChange={(models) => onMode({ models: models ?? [] })}
      />
      {narrowings(mode) > 0 && (
        <Button look="quiet" onClick={() => onMode({ batteryTo: null, idleHours: null, areaIds: [], models: [] })}>
          {t('清除筛选')}
        </Button>
      )}
    </div>
  )
}
