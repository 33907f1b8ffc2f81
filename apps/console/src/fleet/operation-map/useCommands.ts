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

/** A vehicle's recent commands with their true states: told by the socket, and asked for in case it is silent. */
export function useCommands(vehicleId: number): Commands {
  const [list, setList] = useState<readonly Command[] | null>(null)
  const pending = list !== null && hasPending(list)
  const input = { vehicleId, limit: shownCommands }
  const { data, isError } = useEndpoint(commandEndpoints.listCommands, input, {
    refetchIntervalMs: pending ? pendingEveryMs : quietEveryMs,
    staleMs: 0,
    quiet: true,
  })

  useEffect(() => {
    if (data === undefined) return
    const read = data.data.list
    setList((known) => mergeCommands(known ?? [], read, shownCommands))
  }, [data])

  const add = (command: Command) => setList((known) => mergeCommand(known ?? [], command, shownCommands))

  useEffect(
    () =>
      liveSocket.onEvent((event) => {
        if (event.type !== 'command' || event.command.vehicleId !== vehicleId) return
        const { command } = event
        setList((known) => mergeCommand(known ?? [], command, shownCommands))
      }),
    [vehicleId],
  )

  return { list, failed: isError && list === null, add }
}
