import { operatorLevels, type OperatorLevel } from '@saddle/contract/constants.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { EnabledState } from '@saddle/contract/organisation/roles.ts'
import type { SessionCall } from '#kit/call.ts'
import { isTaken } from '#kit/db/pgErrors.ts'
import type { Tx } from '#kit/db/pool.ts'
import { assertHeld } from '#organisation/roles/rules.ts'
import { lockRole } from '#organisation/roles/store.ts'
import type { PeopleParts } from './parts.ts'
import { companyOf, keepingAdministrator, peopleOf, readActor, type Actor, type PeopleReach } from './reach.ts'
import { givableAreas, lockPerson, type StoredPerson } from './store.ts'

export type PersonSide = 'own' | 'below'

export interface PersonContent {
  readonly name: string
  readonly level: OperatorLevel
  readonly roleId: number | null
  readonly allAreas: boolean
  readonly areaIds: readonly number[]
}

type Areas = 'all' | { readonly ids: readonly number[]; readonly seen: readonly number[] }

/** Adds somebody to a company of the side and returns their id. Throws phone_taken, grant_exceeds, foreign_scope. */
export async function createPerson(
  parts: PeopleParts,
  call: SessionCall,
  given: {
    readonly side: PersonSide
    readonly agentId: number
    readonly phone: string
    readonly content: PersonContent
  },
): Promise<number> {
  const { kit, audit, identity } = parts
  const { phone, content, side } = given
  const agentId = companyOf(call, side, given.agentId)
  const actor = await readActor(kit.db, call)
  const reach = peopleOf(call, side)
  try {
    return await kit.db.withScope(reach.scope, async (tx) => {
      assertLevel(actor, agentId, [content.level])
      await checkRole(tx, { reach, actor, agentId, roleId: content.roleId, heldRoleId: null })
      const areas = await checkAreas(tx, { reach, actor, agentId, content, unseen: 0 })
      const { name, level, roleId } = content
      const named = areas === 'all' ? {} : { areaIds: areas.ids }
      const id = await identity.createOperator(tx, { agentId, phone, name, level, roleId, ...named })
      const after = { name, phone: identity.operators.masked(phone), level, roleId, areas: areasText(areas) }
      const line = { action: 'operator.create', subjectKind: 'operator', subjectId: id, after }
      await audit.act(tx, call, { agentId, ...line })
      return id
    })
  } catch (error) {
    // Whose number it is already is not told: it may be somebody of another company.
    if (isTaken(error)) throw new AppError('phone_taken', { cause: error })
    throw error
  }
}

/** Changes name, level, role and areas of somebody else. Throws what `assertMayTouch`, the role and the areas ask for. */
export async function changePerson(
  parts: PeopleParts,
  call: SessionCall,
  given: {
    readonly side: PersonSide
    readonly operatorId: number
    readonly version: number
    readonly content: PersonContent
  },
): Promise<void> {
  const { kit, audit, identity } = parts
  const { operatorId, version, content, side } = given
  const actor = await readActor(kit.db, call)
  const reach = peopleOf(call, side)
  await kit.db.withScope(reach.scope, async (tx) => {
    const person = await mustLock(tx, { reach, actor, operatorId })
    assertMayTouch(actor, person)
    const { agentId } = person
    assertLevel(actor, agentId, [person.level, content.level])
    await checkRole(tx, { reach, actor, agentId, roleId: content.roleId, heldRoleId: person.role?.id ?? null })
    const areas = await checkAreas(tx, { reach, actor, agentId, content, unseen: await unseenAreas(parts, person) })
    const { name, level, roleId } = content
    await keepingAdministrator({
      tx,
      agentId,
      work: async () => {
        const change = { operatorId, agentId, version, name, level, roleId, areas }
        if (!(await identity.operators.change(tx, change))) throw new AppError('conflict')
      },
    })
    const before = factsOf(person)
    const after = { name, level, roleId, areas: areasText(areas) }
    const line = { action: 'operator.change', subjectKind: 'operator', subjectId: operatorId, before, after }
    await audit.act(tx, call, { agentId, ...line })
    await identity.accessChanged(tx, { operatorIds: [operatorId] })
  })
}

/** Enables or disables somebody else; a disabled person's sessions end. */
export async function setPersonState(
  parts: PeopleParts,
  call: SessionCall,
  given: { readonly side: PersonSide; readonly operatorId: number; readonly state: EnabledState },
): Promise<void> {
  const { kit, audit, identity } = parts
  const { operatorId, state, side } = given
  const actor = await readActor(kit.db, call)
  const reach = peopleOf(call, side)
  await kit.db.withScope(reach.scope, async (tx) => {
    const person = await mustLock(tx, { reach, actor, operatorId })
    assertMayTouch(actor, person)
    await assertWithinAreas(parts, actor, person)
    assertLevel(actor, person.agentId, [person.level])
    if (person.state === state) return
    const { agentId } = person
    await keepingAdministrator({
      tx,
      agentId,
      work: () => identity.operators.setState(tx, { operatorId, agentId, state }),
    })
    const change = { before: { state: person.state }, after: { state } }
    const line = { action: `operator.${state}`, subjectKind: 'operator', subjectId: operatorId, ...change }
    await audit.act(tx, call, { agentId, ...line })
    await identity.accessChanged(tx, { operatorIds: [operatorId] })
  })
}

type Named = { readonly operatorId: number } | { readonly phoneHash: string }

/** Lets somebody else leave: their sessions end, their number is forgotten, their name stays with what they did. */
export async function removePerson(
  parts: PeopleParts,
  call: SessionCall,
  given: { readonly side: PersonSide; readonly who: Named },
): Promise<void> {
  const { kit, audit, identity } = parts
  const actor = await readActor(kit.db, call)
  const reach = peopleOf(call, given.side)
  await kit.db.withScope(reach.scope, async (tx) => {
    const person = await mustLock(tx, { reach, actor, ...given.who })
    const { operatorId, agentId } = person
    assertMayTouch(actor, person)
    await assertWithinAreas(parts, actor, person)
    assertLevel(actor, agentId, [person.level])
    const at = new Date(kit.clock.now())
    await keepingAdministrator({
      tx,
      agentId,
      work: () => identity.operators.remove(tx, { operatorId, agentId, at }),
    })
    const phone = identity.operators.maskedPhone(person.phoneSealed)
    const before = { ...factsOf(person), phone, state: person.state }
    const line = { action: 'operator.remove', subjectKind: 'operator', subjectId: operatorId, before }
    await audit.act(tx, call, { agentId, ...line })
    await identity.accessChanged(tx, { operatorIds: [operatorId] })
  })
}

async function mustLock(tx: Tx, options: { reach: PeopleReach; actor: Actor } & Named): Promise<StoredPerson> {
  const { reach, actor, ...who } = options
  const person = await lockPerson(tx, { reach, callerId: actor.operatorId, ...who })
  if (person === null) throw new AppError('not_found')
  return person
}

/** Why the actor may not change, disable or delete the person; null: they may, as far as this goes. */
export function touchRefusal(actor: Actor, person: StoredPerson): 'own_access' | 'above_caller' | null {
  if (person.isSelf) return 'own_access'
  const isAbove = (person.allAreas && !actor.allAreas) || person.codes.some((code) => !actor.held.has(code))
  return isAbove ? 'above_caller' : null
}

/** Nobody touches themselves, or somebody who may do what they may not. */
function assertMayTouch(actor: Actor, person: StoredPerson): void {
  const refusal = touchRefusal(actor, person)
  if (refusal !== null) throw new AppError(refusal)
}

/** Named areas of a person that the caller does not see. */
async function unseenAreas({ identity }: PeopleParts, person: StoredPerson): Promise<number> {
  if (person.allAreas) return 0
  return (await identity.operators.namedAreas(person.operatorId)) - person.areas.length
}

/** Whoever reaches further than the actor is not for the actor to switch off, also where the actor does not see it. */
async function assertWithinAreas(parts: PeopleParts, actor: Actor, person: StoredPerson): Promise<void> {
  if (!actor.allAreas && (await unseenAreas(parts, person)) > 0) throw new AppError('above_caller')
}

/** To be an administrator is for administrators of the company to give and to take, and for those above. */
function assertLevel(actor: Actor, agentId: number, levels: readonly OperatorLevel[]): void {
  const isAsked = agentId === actor.agentId && levels.includes(operatorLevels.admin)
  if (isAsked && actor.level !== operatorLevels.admin) {
    throw new AppError('grant_exceeds', { values: { detail: '管理员' } })
  }
}

async function checkRole(
  tx: Tx,
  options: {
    readonly reach: PeopleReach
    readonly actor: Actor
    readonly agentId: number
    readonly roleId: number | null
    /** A role that is kept is not given. */
    readonly heldRoleId: number | null
  },
): Promise<void> {
  const { reach, actor, agentId, roleId, heldRoleId } = options
  if (roleId === null || roleId === heldRoleId) return
  const role = await lockRole(tx, { ...reach.scope, agentIds: [agentId] }, roleId)
  if (role === null) throw new AppError('bad_request', { values: { detail: '角色不存在' } })
  if (role.state !== 'enabled') throw new AppError('bad_request', { values: { detail: '角色已停用' } })
  assertHeld(actor.held, role.codes)
}

async function checkAreas(
  tx: Tx,
  options: {
    readonly reach: PeopleReach
    readonly actor: Actor
    readonly agentId: number
    readonly content: PersonContent
    /** Named areas that the person keeps because the caller does not see them. */
    readonly unseen: number
  },
): Promise<Areas> {
  const { reach, actor, agentId, content, unseen } = options
  if (content.allAreas) {
    assertAllAreas(actor)
    return 'all'
  }
  const wanted = [...new Set(content.areaIds)]
  // Who is held to named areas and has none would log in and see nothing.
  if (wanted.length + unseen === 0) throw new AppError('areas_required')
  // Areas of the whole tree below the company, and not only of the one company.
  const ids = await givableAreas(tx, { scope: reach.scope, agentId, areaIds: wanted })
  if (ids.length !== wanted.length) throw new AppError('foreign_scope')
  return { ids, seen: reach.scope.areaIds }
}

function assertAllAreas(actor: Actor): void {
  if (!actor.allAreas) throw new AppError('grant_exceeds', { values: { detail: '全部服务区' } })
}

const areasText = (areas: Areas) => (areas === 'all' ? 'all' : areas.ids)

function factsOf(person: StoredPerson) {
  const { name, level, role, allAreas, areas } = person
  return { name, level, roleId: role?.id ?? null, areas: allAreas ? 'all' : areas.map((area) => area.id) }
}
