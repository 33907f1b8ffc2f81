import { setTimeout as sleep } from 'node:timers/promises'
import { commandEndpoints, isFinalCommandState, type CommandState } from '@saddle/contract/fleet/commands.ts'
import { walletEndpoints } from '@saddle/contract/finance/wallet.ts'
import { taskEndpoints } from '@saddle/contract/operations/tasks.ts'
import { taskKinds } from '@saddle/contract/operations/taskWords.ts'
import type { TestClient } from '#test/client.ts'
import { bodyOf, createAsking } from './asking.ts'
import type { ApiAddress } from './nodes.ts'

const pauseMs = 200
const askedWithinMs = 20_000
/** How long the states of a command are read until another one is given. */
const watchedMs = 5_000
const commands = ['ring', 'locate', 'lock', 'unlock'] as const
const kinds = taskKinds.filter((kind) => kind !== 'move' && kind !== 'relocate')

/** What staff were answered: each thing by the words that they gave it, which no other one has. */
export interface Told {
  /** Ids of commands by their reasons. */
  readonly commands: Map<string, number>
  /** Final states that were read of commands. */
  readonly states: Map<number, CommandState>
  /** Tasks by their notes, and those of them that were cancelled. */
  readonly tasks: Map<string, number>
  readonly cancelled: Set<number>
  /** Charges by hand, by their reasons. */
  readonly charges: Map<string, number>
}

export const isNever = (): boolean => false

/** Staff who give commands to some vehicles, plan and cancel tasks, and top up wallets, each call under a key of its own. */
export function startStaff(options: {
  readonly api: readonly ApiAddress[]
  readonly client: TestClient
  readonly vehicleIds: readonly number[]
}) {
  const { client, vehicleIds } = options
  const asking = createAsking(options.api)
  const told: Told = {
    commands: new Map(),
    states: new Map(),
    tasks: new Map(),
    cancelled: new Set(),
    charges: new Map(),
  }
  let isAsking = true
  const vehicleOf = (n: number): number => vehicleIds[n % vehicleIds.length] ?? 0

  const watch = async (vehicleId: number, commandId: number): Promise<void> => {
    const until = performance.now() + watchedMs
    // eslint-disable-next-line no-unmodified-loop-condition -- quieten() sets it while this loop waits
    while (isAsking && !asking.isStopped && performance.now() < until) {
      const read = await asking.ask(
        async (at) => bodyOf(await client.call(commandEndpoints.listCommands, { vehicleId, limit: 20 }, { at })),
        isNever,
        watchedMs,
      )
      if (read.is !== 'answered') return
      for (const { id, state } of read.answer.data.list)
        if (isFinalCommandState(state)) told.states.set(Number(id), state)
      if (told.states.has(commandId)) return
      await sleep(pauseMs)
    }
  }
  const command = async (n: number): Promise<void> => {
    const vehicleId = vehicleOf(n)
    const reason = `fault-command-${n}`
    const input = { vehicleId, kind: commands[n % commands.length] ?? 'ring', reason }
    const given = await asking.ask(
      async (at) => bodyOf(await client.call(commandEndpoints.lockVehicle, input, { at, idempotencyKey: reason })),
      (code) => code === 'command_pending' || code === 'command_refused',
      askedWithinMs,
    )
    if (given.is !== 'answered') return
    const commandId = Number(given.answer.data.id)
    told.commands.set(reason, commandId)
    await watch(vehicleId, commandId)
  }
  const task = async (n: number): Promise<void> => {
    const note = `fault-task-${n}`
    const input = { vehicleIds: [vehicleOf(n)], kind: kinds[n % kinds.length] ?? 'inspect', note }
    const made = await asking.ask(
      async (at) => bodyOf(await client.call(taskEndpoints.createTasks, input, { at, idempotencyKey: note })),
      isNever,
      askedWithinMs,
    )
    const [id] = made.is === 'answered' ? made.answer.data.created : []
    if (id === undefined) return
    told.tasks.set(note, id)
    const key = `fault-cancel-${n}`
    const cancelled = await asking.ask(
      async (at) =>
        bodyOf(
          await client.call(taskEndpoints.cancelTasks, { ids: [id], note: '不再需要' }, { at, idempotencyKey: key }),
        ),
      isNever,
      askedWithinMs,
    )
    if (cancelled.is === 'answered' && cancelled.answer.data.done.includes(id)) told.cancelled.add(id)
  }
  const repeat = async (work: (n: number) => Promise<void>): Promise<void> => {
    // eslint-disable-next-line no-unmodified-loop-condition -- quieten() and stop() set them while this loop waits
    for (let n = 0; isAsking && !asking.isStopped; n += 1) {
      await work(n)
      await sleep(pauseMs)
    }
  }
  const running = Promise.all([repeat(command), repeat(task)])
  return {
    told,
    /** Adds a cent to a rider's balance; false when nobody knows whether it was added. */
    topUp: async (riderId: number, reason: string): Promise<boolean> => {
      const input = { riderId, account: 'balance', direction: 'credit', cents: 1, reason } as const
      const charged = await asking.ask(
        async (at) => bodyOf(await client.call(walletEndpoints.platformCharge, input, { at, idempotencyKey: reason })),
        isNever,
        askedWithinMs,
      )
      if (charged.is !== 'answered') return false
      told.charges.set(reason, charged.answer.data.chargeId)
      return true
    },
    quieten: async () => {
      isAsking = false
      await running
    },
    stop: async () => {
      asking.stop()
      await running
    },
  }
}

export type Staff = ReturnType<typeof startStaff>
