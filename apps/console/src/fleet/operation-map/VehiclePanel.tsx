import { useState, type ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import {
  commandKindLabels,
  commandStateLabels,
  isFinalCommandState,
  type Command,
} from '@saddle/contract/fleet/commands.ts'
import {
  isLowBattery,
  urgencyOf,
  vehicleStateLabels,
  worstAlarm,
  type Vehicle,
} from '@saddle/contract/fleet/vehicles.ts'
import { taskKindLabels } from '@saddle/contract/operations/taskWords.ts'
import { holdsPermission } from '@saddle/contract/permissions.ts'
import type { LiveVehicle } from '@saddle/contract/telemetry/live.ts'
import type { LatLng } from '@saddle/geo/earth.ts'
import { serverNow } from '#kit/clock.ts'
import { dateTime, relativeTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { wordsOfReason } from '#kit/i18n/reason.ts'
import { navigationLinks } from '#kit/map/navigation.ts'
import type { MapTheme } from '#kit/map/palette.ts'
import { notify } from '#kit/notify.ts'
import { usePermissions } from '#kit/session/permissions.ts'
import { Ago } from '#kit/ui/Ago.tsx'
import { Permit } from '#kit/ui/Permit.tsx'
import { PlaceWords } from '#geography/public.ts'
import { CloseAlarm } from '../alarms/CloseAlarm.tsx'
import { OneVehicle } from '../service/VehicleWork.tsx'
import { CommandComposer } from './CommandComposer.tsx'
import { CommandSteps } from './CommandSteps.tsx'
import { alarmLabel, headingLabel, protocolLabel } from './labels.ts'
import { askedCommand } from './link.ts'
import { shownState } from './symbol.ts'
import { useCommands } from './useCommands.ts'
import { VehicleMark } from './VehicleMark.tsx'

interface HeadProps {
  readonly vehicle: Vehicle
  readonly live: LiveVehicle | undefined
  readonly theme: MapTheme
  readonly onClose: () => void
  readonly onLocate: () => void
  /** Shows or hides the way, day by day; absent where there is no map. */
  readonly onTrack?: () => void
}

const stateOf = (vehicle: Vehicle, live: LiveVehicle | undefined) =>
  shownState(live ?? { state: vehicle.state, offline: !vehicle.online })

/** Number and state; stays visible on a phone while the sheet is down. */
export function VehicleHead({ vehicle, live, theme, onClose, onLocate, onTrack }: HeadProps) {
  const state = stateOf(vehicle, live)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(location.href)
      notify.success({ text: t('链接已复制') })
    } catch {
      notify.warning({ text: t('浏览器不允许复制，请从地址栏复制链接') })
    }
  }
  return (
    <header className="om-head">
      <VehicleMark
        state={state}
        theme={theme}
        size={30}
        headingDeg={state === 'on_trip' ? (live?.headingDeg ?? null) : null}
      />
      <div className="om-head-text">
        <h2>
          <Link to={`/vehicle-info?vehicle=${vehicle.number}`} title={t('查看完整经历')}>
            {vehicle.number}
          </Link>
        </h2>
        <p>
          {t(vehicleStateLabels[state])} · {vehicle.areaName}
        </p>
      </div>
      {onTrack !== undefined && (
        <HeadButton label={t('轨迹')} path="M4 15c3-6 5 2 7-4s3-5 5-6M4 15h.1M16 5h.1" onClick={onTrack} />
      )}
      <HeadButton
        label={t('在地图上居中')}
        path="M10 3v3M10 14v3M3 10h3M14 10h3M10 7.2a2.8 2.8 0 1 1 0 5.6a2.8 2.8 0 1 1 0-5.6"
        onClick={onLocate}
      />
      <HeadButton
        label={t('复制链接')}
        path="M8.5 11.5l3-3M7 9.5 5.2 11.3a2.5 2.5 0 0 0 3.5 3.5L10.5 13M13 10.5l1.8-1.8a2.5 2.5 0 0 0-3.5-3.5L9.5 7"
        onClick={() => void copy()}
      />
      <HeadButton label={t('关闭车辆面板')} path="M5.5 5.5l9 9M14.5 5.5l-9 9" onClick={onClose} />
    </header>
  )
}

function HeadButton({ label, path, onClick }: { label: string; path: string; onClick: () => void }) {
  return (
    <button type="button" className="om-icon-button" aria-label={label} title={label} onClick={onClick}>
      <svg viewBox="0 0 20 20" width="18" height="18" aria-hidden="true">
        <path
          d={path}
          fill="none"
          stroke="currentColor"
          strokeWidth="1.5"
          strokeLinecap="round"
          strokeLinejoin="round"
        />
      </svg>
    </button>
  )
}

interface BodyProps {
  readonly vehicle: Vehicle
  readonly live: LiveVehicle | undefined
}

/** What is known of the vehicle, the permitted actions, and the results of earlier ones. */
export function VehicleBody({ vehicle, live }: BodyProps) {
  const { list, failed, add } = useCommands(vehicle.id)
  const asked = askedCommand(useSearchParams()[0], vehicle.number)
  const locked = live?.locked ?? vehicle.locked
  const state = stateOf(vehicle, live)
  const target = {
    id: vehicle.id,
    number: vehicle.number,
    online: live === undefined ? vehicle.online : !live.offline,
    riding: state === 'on_trip',
  }
  const [latest, ...earlier] = list ?? []
  return (
    <>
      <Figures vehicle={vehicle} live={live} locked={locked} />
      {vehicle.openAlarms.length > 0 && <Alarms alarms={vehicle.openAlarms} />}
      {vehicle.openTasks.length > 0 && <Tasks tasks={vehicle.openTasks} />}
      <OneVehicle vehicle={vehicle} />
      <Permit action="030101">
        <CommandComposer
          key={asked}
          vehicle={target}
          locked={locked}
          commands={list ?? []}
          onSent={add}
          asked={asked}
        />
      </Permit>
      {latest !== undefined && (
        <section aria-label={t('最近一条指令')} aria-live="polite">
          <h3>{isFinalCommandState(latest.state) ? t('最近一条指令') : t('正在执行的指令')}</h3>
          <CommandSteps command={latest} />
        </section>
      )}
      {failed && <p className="om-quiet">{t('指令记录暂时读取不到，稍后会自动重试')}</p>}
      <Facts vehicle={vehicle} />
      {earlier.length > 0 && <Earlier commands={earlier} />}
    </>
  )
}

function Figures({ vehicle, live, locked }: BodyProps & { locked: boolean | null }) {
  const battery = live?.batteryPercent ?? vehicle.batteryPercent
  const charging = live?.charging ?? vehicle.charging
  const low = isLowBattery({ batteryPercent: battery, state: live?.state ?? vehicle.state }, vehicle.lowBatteryBelow)
  return (
    <dl className="om-figures">
      <div>
        <dt>{t('电量')}</dt>
        <dd data-tone={low ? 'warn' : undefined}>
          {battery === null ? '--' : battery}
          {battery !== null && <small>%</small>}
          {charging === true && <small> {t('充电中')}</small>}
          <meter
            className="om-battery"
            min={0}
            max={100}
            low={vehicle.lowBatteryBelow}
            value={battery ?? 0}
            aria-hidden="true"
          />
        </dd>
      </div>
      <div>
        <dt>{t('车锁')}</dt>
        <dd data-tone={locked === false ? 'info' : undefined}>
          {locked === null ? '--' : locked ? t('已锁') : t('已开')}
        </dd>
      </div>
      <div>
        <dt>{t('信号')}</dt>
        <dd>
          {vehicle.signal ?? '--'}
          <SignalBars value={vehicle.signal} />
        </dd>
      </div>
      <div>
        <dt>{t('最近上报')}</dt>
        <dd className="om-figure-text">
          <Ago at={vehicle.heardAt} />
        </dd>
      </div>
    </dl>
  )
}

/** Received signal strength as modems tell it, 0 to 31. */
function SignalBars({ value }: { value: number | null }) {
  const bars = value === null ? 0 : Math.min(4, Math.ceil(value / 8))
  return (
    <svg viewBox="0 0 18 14" width="18" height="14" className="om-signal" aria-hidden="true">
      {[0, 1, 2, 3].map((at) => (
        <rect key={at} x={at * 5} y={10 - at * 3} width="3" height={4 + at * 3} rx="1" opacity={at < bars ? 1 : 0.22} />
      ))}
    </svg>
  )
}

function Alarms({ alarms }: { alarms: Vehicle['openAlarms'] }) {
  const { held } = usePermissions()
  const mayClose = holdsPermission(held, '030101') || holdsPermission(held, '0909')
  return (
    <ul className="om-alarms" aria-label={t('未关闭的告警')}>
      {alarms.map((alarm) => (
        <li key={alarm.id} data-urgency={urgencyOf(worstAlarm([alarm.kind]) ?? 'other')}>
          <strong>{alarmLabel(alarm.kind)}</strong>
          <time title={dateTime(alarm.openedAt)}>{relativeTime(alarm.openedAt, serverNow())}</time>
          {mayClose && <CloseAlarm alarm={alarm} label={alarmLabel(alarm.kind)} />}
        </li>
      ))}
    </ul>
  )
}

function Tasks({ tasks }: { tasks: Vehicle['openTasks'] }) {
  const mayOpen = holdsPermission(usePermissions().held, '0909')
  return (
    <ul className="om-tasks" aria-label={t('未完成任务')}>
      {tasks.map(({ id, kind, openedAt, personName }) => (
        <li key={id}>
          {mayOpen ? (
            <Link to={`/data/operation-tasks?task=${id}`}>{t(taskKindLabels[kind])}</Link>
          ) : (
            <strong>{t(taskKindLabels[kind])}</strong>
          )}
          <span className="om-quiet">{personName ?? t('无人领取')}</span>
          <time title={dateTime(openedAt)}>{relativeTime(openedAt, serverNow())}</time>
        </li>
      ))}
    </ul>
  )
}

function Facts({ vehicle }: { vehicle: Vehicle }) {
  const { position, voltageV, imei, model, protocol, company } = vehicle
  const place = position === null ? null : `${position.lat.toFixed(5)}, ${position.lng.toFixed(5)}`
  const speed = position?.speedKmh ?? null
  const heading = position?.headingDeg ?? null
  const rows: readonly (readonly [string, ReactNode])[] = [
    [t('位置时间'), position === null ? null : `${dateTime(position.at)} · ${relativeTime(position.at, serverNow())}`],
    [t('位置'), position === null ? null : <PlaceWords key="place" place={position} />],
    [
      t('坐标'),
      place === null || position === null ? null : <Spot key="spot" text={place} at={position} name={vehicle.number} />,
    ],
    [
      t('速度'),
      speed === null ? null : `${Math.round(speed)} km/h${heading === null ? '' : ` · ${headingLabel(heading)}`}`,
    ],
    [t('电压'), voltageV === null ? null : `${voltageV.toFixed(1)} V`],
    [t('加盟商'), company],
    [t('车型'), `${model} · ${protocolLabel(protocol)}`],
    ['IMEI', imei],
  ]
  return (
    <dl className="om-facts">
      {rows.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value ?? '--'}</dd>
        </div>
      ))}
    </dl>
  )
}

/** The coordinates, to be copied, and the way there. */
function Spot({ text, at, name }: { text: string; at: LatLng; name: string }) {
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text)
      notify.success({ text: t('坐标已复制') })
    } catch {
      notify.warning({ text: t('浏览器不允许复制，请手动选择') })
    }
  }
  return (
    <span className="om-spot">
      <span>{text}</span>
      <button type="button" className="om-link" onClick={() => void copy()}>
        {t('复制')}
      </button>
      <a href={navigationLinks(at, name).amap} target="_blank" rel="noreferrer">
        {t('导航')}
      </a>
    </span>
  )
}

function Earlier({ commands }: { commands: readonly Command[] }) {
  const [open, setOpen] = useState<number | null>(null)
  return (
    <section aria-label={t('更早的指令')}>
      <h3>{t('更早的指令')}</h3>
      <ul className="om-earlier">
        {commands.map((command) => (
          <EarlierRow
            key={command.id}
            command={command}
            open={open === command.id}
            onToggle={() => setOpen(open === command.id ? null : command.id)}
          />
        ))}
      </ul>
    </section>
  )
}

function EarlierRow({ command, open, onToggle }: { command: Command; open: boolean; onToggle: () => void }) {
  const { kind, state, queuedAt, operatorName } = command
  return (
    <li>
      <button type="button" className="om-earlier-row" aria-expanded={open} onClick={onToggle}>
        <span>{t(commandKindLabels[kind])}</span>
        <span data-command-state={state}>{t(commandStateLabels[state])}</span>
        <span>{operatorName !== null && wordsOfReason(operatorName)}</span>
        <time dateTime={new Date(queuedAt).toISOString()}>{dateTime(queuedAt).slice(5, 16)}</time>
      </button>
      {open && <CommandSteps command={command} />}
    </li>
  )
}
