import { AppError, errorText } from '@saddle/contract/errors.ts'
import { personFields, personList, type Person, type personEndpoints } from '@saddle/contract/organisation/people.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import { serveList } from '#kit/list/serveList.ts'
import { changePerson, createPerson, removePerson, setPersonState, touchRefusal, type PersonSide } from './change.ts'
import type { PeopleParts } from './parts.ts'
import { peopleOf, reachOf, readActor, type Actor, type Side } from './reach.ts'
import { resetSecondFactor } from './secondFactor.ts'
import { countLevels, countUses, findPerson, personRows, storedPerson, type StoredPerson } from './store.ts'
import { openSupportAccount } from './supportAccount.ts'

/** Users of the own company and accounts of the franchisees below it: the same work, reaching to different sides. */
export function createPersonHandlers(parts: PeopleParts): Handlers<typeof personEndpoints> {
  const users = servePeople(parts, 'own')
  const accounts = servePeople(parts, 'below')
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
    listUsers: users.page,
    exportUsers: users.file,
    userLevels: async (_, call) => ({
      suc: true,
      data: { list: await countLevels(parts.kit.db, peopleOf(call, 'own')) },
    }),
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
    agentAccounts: accounts.page,
    exportAgentAccounts: accounts.file,
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

function servePeople(parts: PeopleParts, side: PersonSide) {
  const { operators } = parts.identity
  return serveList(parts, personList, {
    name: side === 'own' ? 'users' : 'accounts',
    rows: personRows,
    // Which areas somebody reaches does not depend on what the header shows; `prepare` narrows the companies.
    scope: ({ grant }) => grant,
    prepare: ({ phone }, call) => ({
      agentIds: reachOf(call, side),
      phoneHash: phone === undefined ? undefined : operators.phoneHash(phone),
    }),
    lookUp: async (_, call) => ({ actor: await readActor(parts.kit.db, call) }),
    present: (row, { caller }, { actor }) =>
      personOf(storedPerson(row, caller.operatorId), actor, operators.maskedPhone(row.phone_sealed)),
    file: {
      action: 'operator.export',
      fields: personFields,
      present: (row, { caller }) => {
        const person = storedPerson(row, caller.operatorId)
        return {
          ...person,
          phone: operators.maskedPhone(row.phone_sealed),
          role: person.role?.name ?? null,
          areas: person.allAreas ? '全部' : person.areas.map(({ name }) => name),
        }
      },
    },
  })
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

function personOf(stored: StoredPerson, actor: Actor, phone: string): Person {
  const { codes: _codes, isCompanyEnabled: _enabled, phoneSealed: _sealed, ...person } = stored
  return { ...person, phone, exceeds: touchRefusal(actor, { ...stored, isSelf: false }) !== null }
}
