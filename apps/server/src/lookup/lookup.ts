import { z } from 'zod'
import type { Endpoint, InputOf, OutputOf } from '@saddle/contract/endpoint.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { searchEndpoints } from '@saddle/contract/fleet/search.ts'
import { vehicleStateLabels } from '@saddle/contract/fleet/vehicles.ts'
import { fenceManageEndpoints } from '@saddle/contract/geography/manage.ts'
import { hitsPerKind, type Hit, type HitKind, type lookupEndpoints } from '@saddle/contract/lookup/lookup.ts'
import { taskEndpoints } from '@saddle/contract/operations/tasks.ts'
import { taskKindLabels, unfinishedStates } from '@saddle/contract/operations/taskWords.ts'
import { personEndpoints, operatorLevelLabels } from '@saddle/contract/organisation/people.ts'
import { riderPeopleEndpoints, riderStateLabels } from '@saddle/contract/rider/riders.ts'
import { orderEndpoints, orderStateLabels } from '@saddle/contract/riding/orders.ts'
import { supportTicketEndpoints, ticketStateLabels } from '@saddle/contract/support/tickets.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'

/** The lists in which the search box looks. Each answers as it does on its own page, by the caller's scope. */
const lists = {
  searchVehicles: searchEndpoints.searchVehicles,
  searchOrders: orderEndpoints.searchOrders,
  searchRiders: riderPeopleEndpoints.searchRiders,
  listTickets: supportTicketEndpoints.listTickets,
  searchTasks: taskEndpoints.searchTasks,
  taskDetail: taskEndpoints.taskDetail,
  listElectricFences: fenceManageEndpoints.listElectricFences,
  listUsers: personEndpoints.listUsers,
  agentAccounts: personEndpoints.agentAccounts,
}
type Lists = Handlers<typeof lists>

/** Finds things of several domains by one text, each through the list of its own domain. */
export function createLookup(ports: Lists): { readonly handlers: Handlers<typeof lookupEndpoints> } {
  const kinds = kindsOf(ports)
  return {
    handlers: {
      lookup: async ({ text }, call) => {
        const found = await Promise.all(kinds.map((find) => find(text, call)))
        return { suc: true, data: { hits: found.flat() } }
      },
    },
  }
}

type Find = (text: string, call: SessionCall) => Promise<Hit[]>
type Shown = Omit<Hit, 'kind'>
type Row<E extends Endpoint> =
  OutputOf<E> extends { readonly data: { readonly list: readonly (infer R)[] } } ? R : never

interface Listed<E extends Endpoint> {
  readonly kind: HitKind
  readonly call: E
  readonly handler: (input: InputOf<E>, call: SessionCall) => Promise<OutputOf<E>>
  /** Conditions under which the text may name something; what the list refuses names nothing. */
  readonly filters: (text: string) => readonly object[]
  readonly show: (row: Row<E>) => Shown
}

/** Looks in one list, if its page is permitted to the caller. */
function inList<E extends Endpoint>({ kind, call: endpoint, handler, filters, show }: Listed<E>): Find {
  return async (text, call) => {
    if (!isPermitted(endpoint, call)) return []
    const questions = filters(text).flatMap((filter) => {
      const read = z.safeParse(endpoint.input, { filter, pageSize: hitsPerKind })
      return read.success ? [read.data as InputOf<E>] : []
    })
    const pages = await Promise.all(questions.map((question) => handler(question, call)))
    const rows = pages.flatMap((page) => (page as { data: { list: readonly Row<E>[] } }).data.list)
    const hits = new Map(rows.map((row) => [show(row).id, { kind, ...show(row) }]))
    return [...hits.values()].slice(0, hitsPerKind)
  }
}

const isPermitted = ({ permission }: Endpoint, { caller }: SessionCall): boolean =>
  typeof permission === 'string' || permission.some((code) => caller.permissions.has(code))

/** A whole or begun number of a vehicle: letters, then digits among them. */
const isVehicleNumber = (text: string): boolean => /^(?=.*\d)[a-z][\w-]{1,39}$/i.test(text)
/** The end of a vehicle's number, or a device's IMEI. */
const isDigits = (text: string): boolean => /^\d{3,15}$/.test(text)
const isName = (text: string): boolean => !isDigits(text) && !isVehicleNumber(text)
const when = (isSo: boolean, ...filters: readonly object[]): readonly object[] => (isSo ? filters : [])
const words = (...parts: readonly (string | null)[]): string => parts.filter((part) => part !== null).join(' · ')

const kindsOf = (ports: Lists): readonly Find[] => [
  ...ofRides(ports),
  inTickets(ports),
  tasks(ports),
  ...ofOrganisation(ports),
]

/** Vehicles, orders and riders. */
function ofRides(ports: Lists): readonly Find[] {
  return [
    inList({
      kind: 'vehicle',
      call: lists.searchVehicles,
      handler: ports.searchVehicles,
      filters: (text) => when(isVehicleNumber(text) || isDigits(text), { keyword: text }),
      show: ({ id, number, areaName, state }) => ({
        id: Number(id),
        title: number,
        note: areaName,
        label: vehicleStateLabels[state],
        at: null,
      }),
    }),
    inList({
      kind: 'order',
      call: lists.searchOrders,
      handler: ports.searchOrders,
      filters: (text) => [
        { number: text },
        { phone: text },
        ...when(isVehicleNumber(text), { vehicleNumber: text.toUpperCase() }),
      ],
      show: ({ id, number, vehicleNumber, riderPhone, state, placedAt }) => ({
        id,
        title: number,
        note: words(vehicleNumber, riderPhone),
        label: orderStateLabels[state],
        at: placedAt,
      }),
    }),
    inList({
      kind: 'rider',
      call: lists.searchRiders,
      handler: ports.searchRiders,
      filters: (text) => [
        { phone: text },
        ...when(/^\d{1,9}$/.test(text), { riderId: text }),
        ...when(isName(text), { name: text }),
      ],
      show: ({ id, phone, name, company, state }) => ({
        id,
        title: phone,
        note: words(name, company),
        label: riderStateLabels[state],
        at: null,
      }),
    }),
  ]
}

const inTickets = (ports: Lists): Find =>
  inList({
    kind: 'ticket',
    call: lists.listTickets,
    handler: ports.listTickets,
    filters: (text) => [
      { number: text.toUpperCase() },
      { phone: text },
      ...when(isVehicleNumber(text), { vehicleNumber: text.toUpperCase() }),
    ],
    show: ({ id, number, text, state, openedAt }) => ({
      id,
      title: number,
      note: text.slice(0, 30),
      label: ticketStateLabels[state],
      at: openedAt,
    }),
  })

/** Parking spots, people and accounts of franchisees. */
function ofOrganisation(ports: Lists): readonly Find[] {
  return [
    inList({
      kind: 'place',
      call: lists.listElectricFences,
      handler: ports.listElectricFences,
      filters: (text) => when(isName(text), { keyword: text }),
      show: ({ lineId, name, areaName }) => ({ id: lineId, title: name, note: areaName, label: null, at: null }),
    }),
    ...(['listUsers', 'agentAccounts'] as const).map((name) =>
      inList({
        kind: name === 'listUsers' ? 'person' : 'account',
        call: lists[name],
        handler: ports[name],
        filters: (text) => [{ phone: text }, ...when(isName(text), { keyword: text })],
        show: (row) => ({
          id: row.operatorId,
          title: row.name,
          note: words(row.phone, row.company),
          label: operatorLevelLabels[row.level],
          at: null,
        }),
      }),
    ),
  ]
}

/** Tasks that are not finished by their vehicle; one by its number, as #15103. */
function tasks(ports: Lists): Find {
  const show = ({ id, kind, number, areaName, openedAt }: Row<typeof lists.searchTasks>): Shown => ({
    id,
    title: `#${id}`,
    note: words(number, areaName),
    label: taskKindLabels[kind],
    at: openedAt,
  })
  const ofVehicle = inList({
    kind: 'task',
    call: lists.searchTasks,
    handler: ports.searchTasks,
    filters: (text) => when(isVehicleNumber(text), { keyword: text, states: [...unfinishedStates] }),
    show,
  })
  return async (text, call) => {
    const [, id] = /^#(\d{1,15})$/.exec(text) ?? []
    if (id === undefined) return ofVehicle(text, call)
    if (!isPermitted(lists.taskDetail, call)) return []
    const found = await ports.taskDetail({ id: Number(id) }, call).catch((error: unknown) => {
      if (error instanceof AppError && error.code === 'not_found') return null
      throw error
    })
    return found === null ? [] : [{ kind: 'task', ...show(found.data.task) }]
  }
}
