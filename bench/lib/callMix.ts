import { randomUUID } from 'node:crypto'
import type { Endpoint, RequestOf } from '@saddle/contract/endpoint.ts'
import { endpoints } from '@saddle/contract/endpoints.ts'
import type { TestClient } from '@saddle/server/test/client.ts'

export interface Vehicle {
  readonly id: number
  readonly number: string
}

export interface Person {
  readonly client: TestClient
  readonly vehicles: readonly Vehicle[]
  /** Tasks that this person has created and not cancelled. */
  readonly tasks: number[]
}

export interface World {
  readonly riderIds: readonly number[]
  readonly onlineIds: ReadonlySet<number>
  /** Vehicles that have a task, or had one for the bench: one more of its kind is refused. */
  readonly withTask: Set<number>
}

/** A call with the input of its n-th time; no input where there is nothing to do. */
export interface Kind {
  readonly name: string
  readonly weight: number
  /** Reaches riders of every company, as only the administrator does. */
  readonly ofAll: boolean
  /** Answers that are right when a rider or a colleague was first. */
  readonly refusals: readonly string[]
  ask(person: Person, n: number, world: World): Promise<Answered> | null
}

interface Answered {
  readonly status: number
  readonly body: unknown
}

function kind<E extends Endpoint>(
  name: string,
  options: {
    readonly weight: number
    readonly ofAll?: boolean
    readonly refusals?: readonly string[]
    readonly endpoint: E
    readonly input: (person: Person, n: number, world: World) => RequestOf<E> | null
    readonly after?: (person: Person, answer: Answered) => void
  },
): Kind {
  const { weight, ofAll = false, refusals = [], endpoint, input, after } = options
  return {
    name,
    weight,
    ofAll,
    refusals,
    ask: (person, n, world) => {
      const given = input(person, n, world)
      if (given === null) return null
      return person.client.call(endpoint, given, { idempotencyKey: randomUUID() }).then((answer) => {
        after?.(person, answer)
        return answer
      })
    },
  }
}

export const nth = <T>(all: readonly T[], n: number): T | undefined => all[n % all.length]
/** Neighbours are far apart, as people look at them. */
const vehicleOf = ({ vehicles }: Person, n: number): Vehicle | null => nth(vehicles, n * 7_919) ?? null

export const reads: readonly Kind[] = [
  kind('one vehicle', {
    weight: 18,
    endpoint: endpoints.singleDeviceInfo,
    input: (person, n) => {
      const vehicle = vehicleOf(person, n)
      return vehicle === null ? null : { number: vehicle.number }
    },
  }),
  kind('vehicles', { weight: 10, endpoint: endpoints.searchVehicles, input: () => ({}) }),
  kind('vehicles by state', {
    weight: 6,
    endpoint: endpoints.searchVehicles,
    input: (_, n) => ({
      filter: { states: [n % 2 === 0 ? ('available' as const) : ('on_trip' as const)] },
      pageSize: 50,
    }),
  }),
  kind('vehicles by number', {
    weight: 4,
    endpoint: endpoints.searchVehicles,
    input: (person, n) => ({ filter: { keyword: vehicleOf(person, n)?.number.slice(0, 6) ?? 'SD' } }),
  }),
  kind('vehicles counted', { weight: 8, endpoint: endpoints.aggregateByType, input: () => ({}) }),
  kind('today', { weight: 4, endpoint: endpoints.todayCounters, input: () => ({}) }),
  kind('who I am', { weight: 6, endpoint: endpoints.me, input: () => ({}) }),
  kind('service areas', { weight: 6, endpoint: endpoints.listServiceAreas, input: () => ({}) }),
  kind('fences', { weight: 4, endpoint: endpoints.listFences, input: () => ({}) }),
  kind('notices counted', { weight: 8, endpoint: endpoints.countOwnNotices, input: () => ({}) }),
  kind('notices', { weight: 3, endpoint: endpoints.listOwnNotices, input: () => ({}) }),
  kind('tasks', { weight: 6, endpoint: endpoints.searchTasks, input: () => ({}) }),
  kind('open tasks', { weight: 3, endpoint: endpoints.listTasks, input: () => ({}) }),
  kind('alarms', { weight: 3, endpoint: endpoints.listAlarmTickets, input: () => ({ open: true }) }),
  kind('commands of a vehicle', {
    weight: 3,
    endpoint: endpoints.listCommands,
    input: (person, n) => {
      const vehicle = vehicleOf(person, n)
      return vehicle === null ? null : { vehicleId: vehicle.id, limit: 20 }
    },
  }),
  kind('orders', { weight: 6, endpoint: endpoints.searchOrders, input: () => ({}) }),
  kind('riders', { weight: 2, endpoint: endpoints.searchRiders, input: () => ({}) }),
]

export const writes: readonly Kind[] = [
  kind('a task is created', {
    weight: 35,
    endpoint: endpoints.createTasks,
    input: (person, _, { withTask }) => {
      const vehicle = person.vehicles.find(({ id }) => !withTask.has(id))
      if (vehicle === undefined) return null
      withTask.add(vehicle.id)
      return { vehicleIds: [vehicle.id], kind: 'retrieve' as const }
    },
    after: ({ tasks }, { status, body }) => {
      if (status === 200) tasks.push(...(body as { data: { created: number[] } }).data.created)
    },
  }),
  kind('a task is cancelled', {
    weight: 25,
    endpoint: endpoints.cancelTasks,
    input: ({ tasks }) => {
      const id = tasks.shift()
      return id === undefined ? null : { ids: [id], note: '不再需要' }
    },
  }),
  kind('a vehicle is told to ring', {
    weight: 30,
    refusals: ['command_pending', 'command_refused'],
    endpoint: endpoints.lockVehicle,
    input: (person, n, { onlineIds }) => {
      const vehicleId = vehicleOf(person, n)?.id
      return vehicleId === undefined || !onlineIds.has(vehicleId)
        ? null
        : ({ vehicleId, kind: 'ring', reason: '找车' } as const)
    },
  }),
  kind('a wallet is topped up', {
    weight: 10,
    ofAll: true,
    endpoint: endpoints.platformCharge,
    input: (_, n, { riderIds }) => {
      const riderId = nth(riderIds, n)
      return riderId === undefined
        ? null
        : ({ riderId, account: 'balance', direction: 'credit', cents: 1, reason: '补偿' } as const)
    },
  }),
]
