import { useRef, useState } from 'react'
import { commandEndpoints, isFinalCommandState, type Command } from '@saddle/contract/fleet/commands.ts'
import { isApiError, wordsOf } from '#kit/api/client.ts'
import { isTryOver, newIdempotencyKey } from '#kit/idempotency.ts'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'

const lookEveryMs = 1_000
const recentCommands = 10

export interface FieldCommand {
  readonly command: Command | null
  /** The server's refusal; null while there is none. */
  readonly error: string | null
  /** It is being sent, or the vehicle has not answered yet. */
  readonly isBusy: boolean
  readonly give: (send: (idempotencyKey: string) => Promise<Command>) => Promise<void>
}

/** One command to a vehicle and what has become of it. Never queued: it is for now or not at all. */
export function useFieldCommand(): FieldCommand {
  const [given, setGiven] = useState<Command | null>(null)
  const [error, setError] = useState<string | null>(null)
  const [isSending, setSending] = useState(false)
  const command = useCommand(given)
  // One attempt by the user is one command, however often a bad connection causes it to be resent.
  const key = useRef<string | null>(null)
  const give = async (send: (idempotencyKey: string) => Promise<Command>): Promise<void> => {
    setSending(true)
    setError(null)
    key.current ??= newIdempotencyKey()
    try {
      const command = await send(key.current)
      key.current = null
      setGiven(command)
    } catch (failure) {
      if (isApiError(failure) && isTryOver(failure)) key.current = null
      setError(isApiError(failure) ? wordsOf(failure) : t('请稍后再试'))
    } finally {
      setSending(false)
    }
  }
  const isUnderWay = command !== null && !isFinalCommandState(command.state)
  return { command, error, isBusy: isSending || isUnderWay, give }
}

export function commandTone({ state }: Command): 'good' | 'bad' | 'warn' {
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
