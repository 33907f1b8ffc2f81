import { useEffect, useState } from 'react'
import { commandEndpoints, type Command } from '@saddle/contract/fleet/commands.ts'
import { liveSocket } from '#kit/live/socket.ts'
import { useEndpoint } from '#kit/query.ts'
import { hasPending, mergeCommand, mergeCommands } from './steps.ts'

const shownCommands = 8
const pendingEveryMs = 2_500
const quietEveryMs = 20_000

export interface Commands {
  /** Newest first; null until they were read. */
  readonly list: readonly Command[] | null
  readonly failed: boolean
  readonly add: (command: Command) => void
}

/** A vehicle's recent commands with their real states: pushed by the socket, and polled in case it is silent. */
export function useCommands(vehicleId: number): Commands {
  /** News from the socket and from our own calls, newer than the list that was read. */
  const [told, setTold] = useState<readonly Command[]>([])
  const [pending, setPending] = useState(false)
  const input = { vehicleId, limit: shownCommands }
  const { data, isError } = useEndpoint(commandEndpoints.listCommands, input, {
    refetchIntervalMs: pending ? pendingEveryMs : quietEveryMs,
    staleMs: 0,
    quiet: true,
  })
  const list = data === undefined && told.length === 0 ? null : merged(told, data?.data.list ?? [])
  const pendingNow = list !== null && hasPending(list)
  if (pendingNow !== pending) setPending(pendingNow)

  useEffect(
    () =>
      liveSocket.onEvent((event) => {
        if (event.type !== 'command' || event.command.vehicleId !== vehicleId) return
        const { command } = event
        setTold((known) => mergeCommand(known, command, shownCommands))
      }),
    [vehicleId],
  )
  const add = (command: Command) => setTold((known) => mergeCommand(known, command, shownCommands))
  return { list, failed: isError && list === null, add }
}

const merged = (told: readonly Command[], read: readonly Command[]) => mergeCommands(told, read, shownCommands)
