import { useState, type ReactNode } from 'react'
import { alarmEndpoints } from '@saddle/contract/fleet/alarms.ts'
import type { Vehicle } from '@saddle/contract/fleet/vehicles.ts'
import type { TaskKind } from '@saddle/contract/operations/taskWords.ts'
import { holdsPermission } from '@saddle/contract/permissions.ts'
import { NewTasksDialog } from '#operations/public.ts'
import { t } from '#kit/i18n/index.ts'
import { onDemand } from '#kit/onDemand.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { usePermissions } from '#kit/session/permissions.ts'
import { staleVehicles } from './stale.ts'
import { useReturn } from './useService.ts'

const OutOfServiceDialog = onDemand(
  () => import('./OutOfServiceDialog.tsx'),
  ({ onClose }) => onClose(),
)

const CloseAlarmsDialog = onDemand(
  () => import('../alarms/CloseAlarmsDialog.tsx'),
  ({ onClose }) => onClose(),
)

interface ManyProps {
  readonly vehicleIds: readonly number[]
  readonly areaIds?: readonly number[]
  readonly onDone?: () => void
}

const anywhere: readonly number[] = []

type Work = 'task' | 'out' | 'alarms'

/** Work on many vehicles: tasks for a person, out of service and back, alarms that are settled. */
export function ManyVehicles({ vehicleIds, areaIds = anywhere, onDone }: ManyProps): ReactNode {
  const { held } = usePermissions()
  const [dialog, setDialog] = useState<{ readonly kind: Work; readonly ids: readonly number[] } | null>(null)
  /** Vehicles come and go on a map: the dialog keeps those it was opened for. */
  const open = (kind: Work) => setDialog({ kind, ids: vehicleIds })
  const back = useReturn(onDone)
  const title = t('{{count}} 辆车', { count: dialog?.ids.length ?? 0 })
  const isEmpty = vehicleIds.length === 0
  const close = () => {
    setDialog(null)
    onDone?.()
  }
  return (
    <>
      {holdsPermission(held, '090901') && (
        <Button disabled={isEmpty} onClick={() => open('task')}>
          {t('派任务')}
        </Button>
      )}
      {mayTurn(held) && (
        <>
          <Button disabled={isEmpty} onClick={() => open('out')}>
            {t('标记停运')}
          </Button>
          <Button disabled={isEmpty} busy={back.isBusy} onClick={() => back.send({ vehicleIds: [...vehicleIds] })}>
            {t('取消停运')}
          </Button>
        </>
      )}
      {mayCloseAlarms(held) && (
        <Button disabled={isEmpty} onClick={() => open('alarms')}>
          {t('关闭告警')}
        </Button>
      )}
      {dialog?.kind === 'alarms' && <CloseAlarmsDialog vehicleIds={dialog.ids} title={title} onClose={close} />}
      {dialog?.kind === 'task' && (
        <NewTasksDialog chosen={{ vehicleIds: dialog.ids, title, areaIds }} stale={staleVehicles} onClose={close} />
      )}
      {dialog?.kind === 'out' && <OutOfServiceDialog vehicleIds={dialog.ids} title={title} onClose={close} />}
    </>
  )
}

const mayTurn = (held: ReadonlySet<string>): boolean =>
  holdsPermission(held, '030101') || holdsPermission(held, '090901')

const mayCloseAlarms = (held: ReadonlySet<string>): boolean =>
  alarmEndpoints.fixAlarmTickets.permission.some((code) => holdsPermission(held, code))

/** What the vehicle most likely needs. */
function likelyKind({ batteryPercent, lowBatteryBelow, openAlarms }: Vehicle): TaskKind {
  const kinds = new Set(openAlarms.map(({ kind }) => kind))
  if (kinds.has('outside_area') || kinds.has('illegal_movement')) return 'retrieve'
  if (kinds.has('low_battery') || (batteryPercent !== null && batteryPercent < lowBatteryBelow)) return 'battery_swap'
  return 'inspect'
}

/** Work on the vehicle of the panel. */
export function OneVehicle({ vehicle }: { readonly vehicle: Vehicle }): ReactNode {
  const { held } = usePermissions()
  const [dialog, setDialog] = useState<'task' | 'out' | null>(null)
  const back = useReturn()
  const { id, number, state, areaId } = vehicle
  const close = () => setDialog(null)
  const open = new Set(vehicle.openTasks.map(({ kind }) => kind))
  const likely = likelyKind(vehicle)
  const kind = open.has(likely) ? 'inspect' : likely
  const mayTask = holdsPermission(held, '090901')
  if (!mayTask && !mayTurn(held)) return null
  return (
    <div className="om-more-commands">
      {mayTask && (
        <button type="button" className="om-chip" onClick={() => setDialog('task')}>
          {t('派任务')}
        </button>
      )}
      {mayTurn(held) && state === 'non_operational' && (
        <button
          type="button"
          className="om-chip"
          disabled={back.isBusy}
          onClick={() => back.send({ vehicleIds: [id] })}
        >
          {t('取消停运')}
        </button>
      )}
      {mayTurn(held) && (state === 'available' || state === 'non_contactable') && (
        <button type="button" className="om-chip" onClick={() => setDialog('out')}>
          {t('标记停运')}
        </button>
      )}
      {dialog === 'task' && (
        <NewTasksDialog
          chosen={{ vehicleIds: [id], title: number, areaIds: [areaId] }}
          kind={kind}
          stale={staleVehicles}
          onClose={close}
        />
      )}
      {dialog === 'out' && <OutOfServiceDialog vehicleIds={[id]} title={number} onClose={close} />}
    </div>
  )
}
