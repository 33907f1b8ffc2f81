import type { ReactNode } from 'react'
import { commandEndpoints, commandStateLabels } from '@saddle/contract/fleet/commands.ts'
import type { Task } from '@saddle/contract/operations/tasks.ts'
import { call } from '#kit/api/client.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { Permit } from '#kit/ui/Permit.tsx'
import { useOnline } from './useField.ts'
import { commandTone, useFieldCommand } from './useFieldCommand.ts'

/** Opens the battery compartment by a real command and shows what the vehicle itself reports. */
export function Compartment({ task: { number } }: { readonly task: Pick<Task, 'number'> }): ReactNode {
  const isOnline = useOnline()
  const { command, error, isBusy, give } = useFieldCommand()
  const open = (idempotencyKey: string) =>
    call(
      commandEndpoints.openBatteryCompartment,
      { number, reason: t('现场换电') },
      { idempotencyKey, quiet: true },
    ).then(({ data }) => data)
  return (
    <Permit action="030101">
      <div className="field-compartment">
        <Button look="primary" wide busy={isBusy} disabled={!isOnline} onClick={() => void give(open)}>
          {t('打开 {{number}} 的电池仓', { number })}
        </Button>
        {!isOnline && <p className="field-hint">{t('开仓需要网络：指令由车辆当场执行')}</p>}
        {error !== null && <p role="alert">{error}</p>}
        {command !== null && (
          <output data-command-state={command.state} data-tone={commandTone(command)}>
            {t('电池仓：{{state}}', { state: t(commandStateLabels[command.state]) })}
            {command.failure !== null && `（${command.failure}）`}
          </output>
        )}
      </div>
    </Permit>
  )
}
