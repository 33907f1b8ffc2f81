import { useRef, useState, type ReactNode } from 'react'
import {
  commandEndpoints,
  commandStateLabels,
  isFinalCommandState,
  type Command,
} from '@saddle/contract/fleet/commands.ts'
import type { Task } from '@saddle/contract/operations/tasks.ts'
import { call, isApiError, wordsOf } from '#kit/api/client.ts'
import { isTryOver, newIdempotencyKey } from '#kit/idempotency.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Permit } from '#kit/ui/Permit.tsx'
import { useOnline } from './useField.ts'

const lookEveryMs = 1_000
const recentCommands = 10

/** Opens the battery compartment by a real command and shows what the vehicle itself reports. Never queued. */
export function Compartment({ task }: { readonly task: Pick<Task, 'number' | 'vehicleId'> }): ReactNode {
  const isOnline = useOnline()
  const [given, setGiven] = useState<Command | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  const command = useCommand(given)
  const isUnderWay = command !== null && !isFinalCommandState(command.state)
  // One attempt by the user is one command, however often a bad connection causes it to be resent.
  const key = useRef<string | null>(null)
  const open = async () => {
    setBusy(true)
    setError(null)
    key.current ??= newIdempotencyKey()
    try {
      const input = { number: task.number, reason: t('现场换电') }
      const { data } = await call(commandEndpoints.openBatteryCompartment, input, {
        idempotencyKey: key.current,
        quiet: true,
      })
      key.current = null
      setGiven(data)
    } catch (failure) {
      if (isApiError(failure) && isTryOver(failure)) key.current = null
      setError(isApiError(failure) ? wordsOf(failure) : t('请稍后再试'))
    } finally {
      setBusy(false)
    }
  }
  return (
    <Permit action="030101">
      <div className="field-compartment">
        <Button look="primary" wide busy={busy || isUnderWay} disabled={!isOnline} onClick={() => void open()}>
          {t('打开 {{number}} 的电池仓', { number: task.number })}
        </Button>
        {!isOnline && <p className="field-hint">{t('开仓需要网络：指令由车辆当场执行')}</p>}
        {error !== null && <p role="alert">{error}</p>}
        {command !== null && (
          <output data-command-state={command.state} data-tone={toneOf(command)}>
            {t('电池仓：{{state}}', { state: t(commandStateLabels[command.state]) })}
            {command.failure !== null && `（${command.failure}）`}
          </output>
        )}
      </div>
    </Permit>
  )
}

function toneOf({ state }: Command): 'good' | 'bad' | 'warn' {
  if (state === 'confirmed') return 'good'
  return state === 'expired' || state === 'failed' ? 'bad' : 'warn'
}

/** The command as the server knows it now, asked for until it has ended. */
function useCommand(given: Command | null): Command | null {
  const [last, setLast] = useState<Command | null>(null)
  const known = last !== null && last.id === given?.id ? last : given
  const isOpen = known !== null && !isFinalCommandState(known.state)
  const { data } = useEndpoint(
    commandEndpoints.listCommands,
    { vehicleId: given?.vehicleId ?? 0, limit: recentCommands },
    { enabled: isOpen, refetchIntervalMs: lookEveryMs, staleMs: 0, quiet: true },
  )
  const found = data?.data.list.find(({ id }) => id === given?.id)
  if (found !== undefined && found.state !== known?.state) setLast(found)
  return known
}
