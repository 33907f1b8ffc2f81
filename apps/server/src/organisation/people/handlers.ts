import { phonePattern } from '@saddle/contract/constants.ts'
import { AppError, errorText } from '@saddle/contract/errors.ts'
import type { Person, personEndpoints } from '@saddle/contract/organisation/people.ts'
import type { InputOf } from '@saddle/contract/endpoint.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import { changePerson, createPerson, removePerson, setPersonState, touchRefusal, type PersonSide } from './change.ts'
import type { PeopleParts } from './parts.ts'
import { peopleOf, readActor, type Actor, type Side } from './reach.ts'
import { resetSecondFactor } from './secondFactor.ts'
import { countUses, findPeople, findPerson, type StoredPerson } from './store.ts'
import { openSupportAccount } from './supportAccount.ts'

type ListInput = InputOf<typeof personEndpoints.listUsers>

/** Users of the own company and accounts of the franchisees below it: the same work, reaching to different sides. */
export function createPersonHandlers(parts: PeopleParts): Handlers<typeof personEndpoints> {
  const list = (call: SessionCall, side: PersonSide, input: ListInput) => listPeople(parts, call, side, input)
  const one = async (call: SessionCall, side: Side, operatorId: number) => ({
    suc: true as const,
    data: await wholePerson(parts, call, side, operatorId),
  })
  // Answers of calls with a key are kept for a while, and no number is kept in the clear.
  const made = async (call: SessionCall, side: PersonSide, operatorId: number) => {
    const { suc, data } = await one(call, side, operatorId)
    return { suc, data: { ...data, phone: parts.identity.operators.masked(data.phone) } }
  }
  const gone = { suc: true as const, data: {} }
  return {
    ...createUsesHandlers(parts),
    listUsers: (input, call) => list(call, 'own', input),
    personInfo: ({ operatorId }, call) => one(call, 'both', operatorId),
    createUser: async ({ phone, ...content }, call) => {
      const { agentId } = call.caller
      return made(call, 'own', await createPerson(parts, call, { side: 'own', agentId, phone, content }))
    },
    changeUser: async ({ operatorId, version, ...content }, call) => {
      await changePerson(parts, call, { side: 'own', operatorId, version, content })
      return one(call, 'own', operatorId)
    },
    setUserState: async ({ operatorId, state }, call) => {
      await setPersonState(parts, call, { side: 'own', operatorId, state })
      return one(call, 'own', operatorId)
    },
    removeUser: async ({ phone }, call) => {
      const phoneHash = parts.identity.operators.phoneHash(phone)
      await removePerson(parts, call, { side: 'own', who: { phoneHash } })
      return gone
    },
    agentAccounts: (input, call) => list(call, 'below', input),
    createAgentAccount: async ({ agentId, phone, ...content }, call) =>
      made(call, 'below', await createPerson(parts, call, { side: 'below', agentId, phone, content })),
    changeAgentAccount: async ({ operatorId, version, ...content }, call) => {
      await changePerson(parts, call, { side: 'below', operatorId, version, content })
      return one(call, 'below', operatorId)
    },
    setAgentAccountState: async ({ operatorId, state }, call) => {
      await setPersonState(parts, call, { side: 'below', operatorId, state })
      return one(call, 'below', operatorId)
    },
    removeAgentAccount: async ({ operatorId }, call) => {
      await removePerson(parts, call, { side: 'below', who: { operatorId } })
      return gone
    },
  }
}

type UsesEndpoints = Pick<typeof personEndpoints, 'userUses' | 'createSupportAccount' | 'resetSecondFactor'>

function createUsesHandlers(parts: PeopleParts): Handlers<UsesEndpoints> {
  const { kit, identity } = parts
  return {
    userUses: async ({ operatorId }, call) => {
      const reach = peopleOf(call, 'both')
      const [actor, person] = await Promise.all([
        readActor(kit.db, call),
        findPerson(kit.db, { reach, operatorId, callerId: call.caller.operatorId }),
      ])
      if (person === null) throw new AppError('not_found')
      const [login, things] = await Promise.all([
        identity.operators.uses(operatorId),
        countUses(kit.db, { scope: reach.scope, operatorId }),
      ])
      const code = touchRefusal(actor, person)
      return { suc: true, data: { ...login, ...things, refusal: code === null ? null : errorText(code) } }
    },
    resetSecondFactor: async ({ operatorId }, call) => {
      await resetSecondFactor(parts, call, operatorId)
      return { suc: true, data: {} }
    },
    createSupportAccount: async ({ operatorId }, call) => ({
      suc: true,
      data: { supportAccount: await openSupportAccount(parts, call, operatorId) },
    }),
  }
}

async function listPeople(parts: PeopleParts, call: SessionCall, side: PersonSide, input: ListInput) {
  const { db } = parts.kit
  const { keyword } = input
  const isPhone = keyword !== undefined && phonePattern.test(keyword)
  const filter = isPhone ? { ...input, phoneHash: parts.identity.operators.phoneHash(keyword) } : input
  const callerId = call.caller.operatorId
  const [actor, { rows, levels }] = await Promise.all([
    readActor(db, call),
    findPeople({ db, reach: peopleOf(call, side), filter, callerId }),
  ])
  const asked = levels.filter(({ level }) => input.level === undefined || level === input.level)
  const { maskedPhone } = parts.identity.operators
  return {
    suc: true as const,
    data: {
      list: rows.map((row) => personOf(row, actor, maskedPhone(row.phoneSealed))),
      count: asked.reduce((sum, { count }) => sum + count, 0),
      levels,
    },
  }
}

async function wholePerson(parts: PeopleParts, call: SessionCall, side: Side, operatorId: number): Promise<Person> {
  const { kit, identity } = parts
  const [actor, row] = await Promise.all([
    readActor(kit.db, call),
    findPerson(kit.db, { reach: peopleOf(call, side), operatorId, callerId: call.caller.operatorId }),
  ])
  if (row === null) throw new AppError('not_found')
  return personOf(row, actor, identity.operators.phone(row.phoneSealed))
}

function personOf(row: StoredPerson, actor: Actor, phone: string): Person {
  const { operatorId, agentId, company, name, level, state, role, allAreas, areas, supportAccount, hasTotp } = row
  return {
    operatorId,
    agentId,
    company,
    name,
    phone,
    level,
    state,
    role,
    allAreas,
    areas,
    supportAccount,
    hasTotp,
    lastLoginAt: row.lastLoginAt?.getTime() ?? null,
    createdAt: row.createdAt.getTime(),
    isSelf: row.isSelf,
    exceeds: touchRefusal(actor, { ...row, isSelf: false }) !== null,
    version: row.version,
  }
}
