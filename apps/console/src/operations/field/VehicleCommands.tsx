import { useState, type ReactNode } from 'react'
import { commandEndpoints, commandKindLabels, commandStateLabels } from '@saddle/contract/fleet/commands.ts'
import { vehicleEndpoints } from '@saddle/contract/fleet/vehicles.ts'
import { call } from '#kit/api/client.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Permit } from '#kit/ui/Permit.tsx'
import { useOnline } from './useField.ts'
import { commandTone, useFieldCommand } from './useFieldCommand.ts'

const kinds = ['ring', 'unlock', 'lock'] as const
type Kind = (typeof kinds)[number]

interface Props {
  readonly number: string
  readonly vehicleId: number
}

/** Rings, unlocks and locks the vehicle that somebody looks for or stands at. */
export function VehicleCommands({ number, vehicleId }: Props): ReactNode {
  const isOnline = useOnline()
  const [last, setLast] = useState<Kind | null>(null)
  const { command, error, isBusy, give } = useFieldCommand()
  const send = (kind: Kind) => {
    setLast(kind)
    void give((idempotencyKey) =>
      call(
        commandEndpoints.lockVehicle,
        { vehicleId, kind, reason: t('现场作业') },
        { idempotencyKey, quiet: true },
      ).then(({ data }) => data),
    )
  }
  return (
    <Permit action="030101">
      <fieldset className="field-commands" aria-label={t('{{number}} 的指令', { number })}>
        {kinds.map((kind) => (
          <Button key={kind} busy={isBusy && last === kind} disabled={!isOnline || isBusy} onClick={() => send(kind)}>
            {t(commandKindLabels[kind])}
          </Button>
        ))}
      </fieldset>
      {!isOnline && <p className="field-hint">{t('指令需要网络：由车辆当场执行，不会留到以后')}</p>}
      {error !== null && <p role="alert">{error}</p>}
      {command !== null && (
        <output className="field-told" data-command-state={command.state} data-tone={commandTone(command)}>
          {t(commandKindLabels[command.kind])} · {t(commandStateLabels[command.state])}
          {command.failure !== null && `（${command.failure}）`}
        </output>
      )}
    </Permit>
  )
}

/** The commands for a vehicle of which only the number is known: one that has no task here. */
export function ScannedVehicle({ number }: { readonly number: string }): ReactNode {
  const isOnline = useOnline()
  const { data, error } = useEndpoint(vehicleEndpoints.singleDeviceInfo, { number }, { enabled: isOnline, quiet: true })
  const vehicle = data?.data
  if (vehicle !== undefined) return <VehicleCommands number={vehicle.number} vehicleId={vehicle.id} />
  return error === null ? null : <p role="alert">{t('没有找到车辆 {{number}}', { number })}</p>
}
