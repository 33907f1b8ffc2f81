import { demoVehicleCount, demoVehicles } from '@saddle/contract/demo/city.ts'
import { sql } from 'kysely'
import { minuteMs as MINUTE_MS } from '@saddle/contract/time.ts'
import { createAudit, type Audit } from '#audit/public.ts'
import { createFinance } from '#finance/public.ts'
import { createFleet } from '#fleet/public.ts'
import { createIdentity, type Identity } from '#identity/public.ts'
import type { Tx } from '#kit/db/pool.ts'
import type { Kit } from '#kit/kit.ts'
import { createOrganisation, type Organisation } from '#organisation/public.ts'
import { createSupport } from '#support/public.ts'
import { addDeskWork, type DemoPerson } from './desk.ts'
import { insertFences } from './fences.ts'
import { insertWork } from './work.ts'
import { demoLogins, demoWorkers, type DemoLogin } from './people.ts'
import {
  brandedTenant,
  demoAccounts,
  demoServiceAreas,
  demoTenants,
  franchiseeId,
  platformAgentId,
  platformCompany,
} from './tenants.ts'
import { demoApplications, demoConversations } from './words.ts'

/** The fleet was deployed a little before its history begins. */
const FLEET_AGE_MINUTES = 31 * 24 * 60
// Any fixed number will do: it names our lock among the database's advisory locks.
const LOCK_NUMBER = 7_233_360

type State = {
  hasAgents: boolean
  isDemo: boolean
  hasFleet: boolean
  hasFences: boolean
  hasConversations: boolean
  hasApplications: boolean
  hasWork: boolean
  hasDeskWork: boolean
}

/**
 * Fills an empty database with the demo city: tenants, areas, logins, vehicles, and a few words and applications. A
 * database with other tenants is not changed, and neither is a complete demo; an incomplete one is completed. Several
 * servers may start at once.
 */
export async function seedDemo(kit: Kit): Promise<void> {
  if (isFinished(await readState(kit))) return
  await kit.db.system(async (lock) => {
    // Held until the end; the work itself runs in transactions of its own.
    await sql`select pg_advisory_xact_lock(${LOCK_NUMBER})`.execute(lock)
    const state = await readState(kit)
    if (isFinished(state)) return
    await fill(kit, state)
  })
}

function isFinished(state: State): boolean {
  if (state.hasAgents && !state.isDemo) return true
  const { hasFleet, hasFences, hasConversations, hasApplications, hasWork, hasDeskWork } = state
  const isFilled = hasFleet && hasFences && hasConversations && hasApplications && hasWork && hasDeskWork
  return state.isDemo && isFilled
}

async function readState({ db }: Kit): Promise<State> {
  const [state] = await db.systemRead((k) =>
    k
      .selectNoFrom([
        sql<boolean>`exists (select from agent)`.as('hasAgents'),
        sql<boolean>`exists (select from agent where id = ${platformAgentId} and company = ${platformCompany})`.as(
          'isDemo',
        ),
        sql<boolean>`(select count(*) from vehicle) >= ${demoVehicleCount}`.as('hasFleet'),
        sql<boolean>`exists (select from fence where kind = 'parking')`.as('hasFences'),
        sql<boolean>`exists (select from chat_conversation)`.as('hasConversations'),
        sql<boolean>`exists (select from franchise_application)`.as('hasApplications'),
        sql<boolean>`exists (select from task_rule_version)`.as('hasWork'),
        sql<boolean>`exists (select from ally)`.as('hasDeskWork'),
      ])
      .compile(),
  )
  if (state === undefined) throw new Error('a select without FROM has one row')
  return state
}

async function fill(kit: Kit, state: State): Promise<void> {
  const audit = createAudit(kit)
  const organisation = createOrganisation(kit)
  if (!state.hasAgents) {
    const identity = await createIdentity(kit, { audit })
    try {
      await kit.db.system(async (tx) => {
        await addTenants({ tx, organisation })
        for (const account of demoAccounts) await createFinance(kit).saveAccount(tx, account)
        await addPeople({ tx, organisation, identity })
        await audit.write(tx, {
          agentId: platformAgentId,
          operatorId: null,
          action: 'demo.fill',
          subjectKind: 'agent',
          subjectId: platformAgentId,
        })
      })
    } finally {
      await identity.close()
    }
    kit.log.info({ logins: demoLogins.length }, 'the demo was put into the database')
  }
  if (!state.hasFleet) await addFleet(kit)
  if (!state.hasFences) await kit.db.system((tx) => insertFences(tx, kit.clock.now() - FLEET_AGE_MINUTES * MINUTE_MS))
  if (!state.hasWork) await kit.db.system((tx) => insertWork(tx, kit.clock.now()))
  if (!state.hasApplications) await addApplications(kit)
  if (!state.hasDeskWork) await addDesk(kit, audit)
  if (!state.hasConversations) await addConversations(kit)
}

async function addDesk(kit: Kit, audit: Audit): Promise<void> {
  const identity = await createIdentity(kit, { audit })
  try {
    await addDeskWork(kit, { identity, people: await findDemoPeople(kit) })
  } finally {
    await identity.close()
  }
}

async function addTenants(options: { tx: Tx; organisation: Organisation }): Promise<void> {
  const { tx, organisation } = options
  for (const tenant of demoTenants) {
    const branded = tenant.id === franchiseeId('qinghe') ? brandedTenant : {}
    await organisation.addAgent(tx, { ...tenant, ...branded })
  }
  for (const area of demoServiceAreas) await organisation.addArea(tx, area)
}

async function addPeople(options: { tx: Tx; organisation: Organisation; identity: Identity }): Promise<void> {
  const { tx, organisation, identity } = options
  const roleIds = new Map<string, number>()
  for (const { agentId, role, phone, name, level, areaIds } of [...demoLogins, ...demoWorkers]) {
    const key = `${agentId} ${role.name}`
    const roleId = roleIds.get(key) ?? (await organisation.addRole(tx, { agentId, ...role }))
    roleIds.set(key, roleId)
    const held = areaIds === undefined ? {} : { areaIds }
    await identity.createOperator(tx, { agentId, phone, name, level, roleId, ...held })
  }
}

/** Vehicles that are there already keep what they are. */
async function addFleet(kit: Kit): Promise<void> {
  const then = atTime(kit, FLEET_AGE_MINUTES * MINUTE_MS)
  await kit.db.system(async (tx) => {
    const ids = await createFleet(then, { audit: createAudit(then) }).vehicles.register(tx, demoFleet())
    // The simulator is about to connect them: until then none of them counts as offline.
    await sql`
      update vehicle_status set heard_at = ${new Date(kit.clock.now())} where vehicle_id = any (${ids}::bigint[])`.execute(
      tx,
    )
    kit.log.info({ vehicles: ids.length }, 'the vehicles of the demo were put onto the street')
  })
}

function demoFleet() {
  return demoVehicles(demoVehicleCount).map((vehicle) => ({
    agentId: franchiseeId(vehicle.agentKey),
    areaId: vehicle.areaIndex + 1,
    number: vehicle.number,
    imei: vehicle.imei,
    model: vehicle.model,
    protocol: vehicle.protocol,
    position: { lat: vehicle.lat, lng: vehicle.lng },
  }))
}

/** The same kit as it would have been some time ago. */
function atTime(kit: Kit, agoMs: number): Kit {
  return { ...kit, clock: { now: () => kit.clock.now() - agoMs } }
}

async function addApplications(kit: Kit): Promise<void> {
  for (const { hoursAgo, ...application } of demoApplications) {
    await createOrganisation(atTime(kit, hoursAgo * 60 * MINUTE_MS)).submitApplication(application)
  }
}

async function addConversations(kit: Kit): Promise<void> {
  const people = await findDemoPeople(kit)
  const support = people.get('13800138000')
  if (support === undefined) return
  const scope = { agentIds: demoTenants.map((tenant) => tenant.id), areaIds: [], operatorId: support.operatorId }
  for (const { phone, minutesAgo, turns } of demoConversations) {
    const author = people.get(phone)
    if (author === undefined) continue
    let conversationId: number | null = null
    for (const [index, { from, text }] of turns.entries()) {
      const then = atTime(kit, (minutesAgo - index) * MINUTE_MS)
      const { talk } = createSupport(then, { organisation: createOrganisation(then) })
      if (from === 'operator') conversationId = (await talk.say(author, text)).conversationId
      else if (conversationId !== null) await talk.answer({ scope, author: support, conversationId, text })
    }
  }
}

/** The demo's people by phone number; whoever was renamed or removed is not among them. */
export async function findDemoPeople({ db }: Pick<Kit, 'db'>): Promise<ReadonlyMap<string, DemoPerson>> {
  const rows = await db.systemRead((k) =>
    k
      .selectFrom('operator')
      .select(['id as operatorId', 'agent_id as agentId', 'name'])
      .where(
        'name',
        'in',
        demoLogins.map((login) => login.name),
      )
      .compile(),
  )
  const found = (login: DemoLogin): DemoPerson | undefined =>
    rows.find((row) => row.name === login.name && row.agentId === login.agentId)
  return new Map(
    demoLogins.flatMap((login): [string, DemoPerson][] => {
      const person = found(login)
      return person === undefined ? [] : [[login.phone, person]]
    }),
  )
}
