import { AppError } from '@saddle/contract/errors.ts'
import { createAudit } from '#audit/public.ts'
import { createFinance } from '#finance/public.ts'
import { createFleet } from '#fleet/public.ts'
import type { Identity } from '#identity/public.ts'
import type { SessionCall } from '#kit/call.ts'
import type { Scope } from '#kit/db/scope.ts'
import type { Kit } from '#kit/kit.ts'
import type { Operations } from '#operations/public.ts'
import { createPeople } from '#organisation/public.ts'
import { demoLogins } from './people.ts'
import { demoServiceAreas, demoTenants, franchiseeId, platformAgentId } from './tenants.ts'
import { demoAllies, demoScreenings } from './words.ts'

export type DemoPerson = { readonly operatorId: number; readonly agentId: number; readonly name: string }
type People = ReadonlyMap<string, DemoPerson>

/** Adds what office staff of the demo have saved: screening conditions and franchisers. */
export async function addDeskWork(kit: Kit, deps: { identity: Identity; people: People }): Promise<void> {
  const audit = createAudit(kit)
  const fleet = createFleet(kit, { audit }).handlers
  for (const { phone, ...screening } of demoScreenings) {
    const person = deps.people.get(phone)
    if (person !== undefined) await fleet.saveScreening(screening, callOf(person, phone, everything))
  }
  const phone = '13800138000'
  const administrator = deps.people.get(phone)
  if (administrator === undefined) return
  const { handlers } = createPeople({ kit, audit, identity: deps.identity, finance: createFinance(kit) })
  for (const ally of demoAllies) await handlers.createAlly(ally, callOf(administrator, phone, everything))
}

const planner = { phone: '13800138001', agentId: franchiseeId('qinghe') }
const planVehicles = 12
const planHours = 3

/**
 * Has a manager adopt a rebalancing plan, which the simulated staff then carry out; its effect is shown when it is done.
 * Only a demo without any plan gets one. Returns the number of its tasks; 0 when no move is worth the distance.
 */
export async function adoptDemoPlan(deps: {
  readonly operations: Pick<Operations, 'handlers'>
  readonly people: People
}): Promise<number> {
  const area = demoServiceAreas.findLast(({ agentId }) => agentId === planner.agentId)
  const person = deps.people.get(planner.phone)
  if (area === undefined || person === undefined) return 0
  const call = callOf(person, planner.phone, { agentIds: [planner.agentId], areaIds: [area.id] })
  const { handlers } = deps.operations
  const { data: known } = await handlers.listPlans({ filter: {}, sort: 'made', pageSize: 1 }, call)
  if (known.list.length > 0) return 0
  const ask = { areaId: area.id, hours: planHours, capacity: planVehicles, minutesMax: 180, vehiclesMax: planVehicles }
  const { data: plan } = await handlers.planMoves(ask, call)
  if (plan.moves.length === 0) return 0
  const moves = plan.moves.map(({ from, to, vehicles }) => ({
    fromFenceId: from.fenceId,
    toFenceId: to.fenceId,
    vehicles,
  }))
  try {
    const { data } = await handlers.adoptPlan({ ...ask, moves }, call)
    return data.taskIds.length
  } catch (error) {
    // The vehicles were rented meanwhile.
    if (error instanceof AppError && error.code === 'rebalancing_outdated') return 0
    throw error
  }
}

type Reach = Pick<Scope, 'agentIds' | 'areaIds'>
export const everything: Reach = {
  agentIds: demoTenants.map(({ id }) => id),
  areaIds: demoServiceAreas.map(({ id }) => id),
}

/** A call as the person's own session would make it. */
export function callOf({ operatorId, agentId, name }: DemoPerson, phone: string, reach: Reach): SessionCall {
  const agentIds = agentId === platformAgentId ? reach.agentIds : [agentId]
  const scope = { ...reach, agentIds, operatorId }
  const permissions = new Set<string>(demoLogins.find((login) => login.phone === phone)?.role.codes)
  return {
    requestId: 'demo',
    address: '127.0.0.1',
    userAgent: 'demo',
    host: 'localhost',
    cookie: () => undefined,
    setCookie: () => {},
    clearCookie: () => {},
    caller: { sessionId: 0, operatorId, agentId, phone, name, permissions },
    grant: scope,
    scope,
    token: {
      userId: operatorId.toString(16).padStart(24, '0'),
      phone,
      agentId,
      build: 'demo',
      devId: '',
      package: 'demo',
      iat: 0,
      exp: 0,
      jti: 'demo',
      htm: 'POST',
      htu: '/',
      bodyHash: '',
    },
  }
}
