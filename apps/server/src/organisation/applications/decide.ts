import { operatorLevels } from '@saddle/contract/constants.ts'
import type { InputOf } from '@saddle/contract/endpoint.ts'
import { AppError } from '@saddle/contract/errors.ts'
import {
  applicationFields,
  applicationList,
  type applicationEndpoints,
} from '@saddle/contract/organisation/applications.ts'
import { firstRoleCodes, firstRoleName } from '@saddle/contract/organisation/companies.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { isTaken } from '#kit/db/pgErrors.ts'
import type { RowOf } from '#kit/db/rows.ts'
import { guardedFile } from '#kit/list/listFile.ts'
import { serveList } from '#kit/list/serveList.ts'
import { checkPlatform } from '#organisation/agents/platform.ts'
import { insertAgent } from '#organisation/agents/store.ts'
import { addArea, checkReachesAll, checkRing } from '#organisation/areas/manage.ts'
import { checkRoom } from '#organisation/companies/handlers.ts'
import type { CompanyDeps } from '#organisation/deps.ts'
import { insertRole } from '#organisation/roles/store.ts'
import { application, applicationRows, decideApplication, lockApplication } from './store.ts'
import { contactPurpose, phonePurpose } from './submit.ts'

type DecisionEndpoints = Omit<typeof applicationEndpoints, 'applyToJoin'>
type Acceptance = InputOf<typeof applicationEndpoints.acceptApplication>

/** The platform's answer to an application to join. */
export function createDecisionHandlers(parts: CompanyDeps): Handlers<DecisionEndpoints> {
  const { kit, audit } = parts
  const list = serveApplications(parts)
  return {
    listApplications: async (input, call) => {
      await checkPlatform(kit.db, call)
      return list.page(input, call)
    },

    exportApplications: guardedFile(list.file, (_, call) => checkPlatform(kit.db, call)),

    acceptApplication: async (input, call) => {
      await checkPlatform(kit.db, call)
      if (!call.grant.agentIds.includes(input.parentId)) throw new AppError('foreign_scope')
      checkRing(input.area.ring)
      return { suc: true, data: await openFranchise(parts, input, call) }
    },

    refuseApplication: async ({ applicationNumber, reason }, call) => {
      await checkPlatform(kit.db, call)
      await kit.db.system(async (tx) => {
        await holdWaiting(tx, applicationNumber)
        await decideApplication({
          tx,
          number: applicationNumber,
          decision: { state: 'refused', refusal: reason, decidedBy: call.caller.name, at: new Date(kit.clock.now()) },
        })
        await audit.act(tx, call, {
          agentId: call.caller.agentId,
          action: 'application.refuse',
          subjectKind: 'application',
          subjectId: applicationNumber,
          after: { reason },
        })
      })
      return { suc: true, data: {} }
    },
  }
}

function serveApplications(parts: CompanyDeps) {
  const { secrets } = parts.kit
  const clear = (row: RowOf<typeof application>) => {
    const { contactSealed, phoneSealed, ...shown } = application.present(row)
    const context = shown.applicationNumber
    const contact = secrets.decryptText({ purpose: contactPurpose, sealed: contactSealed, context })
    return { ...shown, contact, phone: secrets.decryptText({ purpose: phonePurpose, sealed: phoneSealed, context }) }
  }
  return serveList(parts, applicationList, {
    name: 'applications',
    rows: applicationRows,
    isSystem: true,
    present: clear,
    file: {
      action: 'application.export',
      fields: applicationFields,
      present: (row) => {
        const shown = clear(row)
        return { ...shown, phone: parts.identity.operators.masked(shown.phone) }
      },
    },
  })
}

/** Whoever decides second waits here and then finds it decided. */
async function holdWaiting(tx: Tx, number: string): Promise<void> {
  const state = await lockApplication(tx, number)
  if (state === null) throw new AppError('not_found')
  if (state !== 'submitted') throw new AppError('application_decided')
}

/** Company, role, first account, area, decision and their lines: all of it happens or none. */
async function openFranchise(parts: CompanyDeps, input: Acceptance, call: SessionCall) {
  const { kit, audit, identity } = parts
  const { applicationNumber, parentId, company, manager, area } = input
  const { caller } = call
  // Nobody hands on what they do not hold.
  const codes = firstRoleCodes.filter((code) => caller.permissions.has(code))
  const open = async (tx: Tx) => {
    await checkReachesAll(tx, call)
    await holdWaiting(tx, applicationNumber)
    await checkRoom(tx)
    const agentId = await insertAgent({ tx, agent: { parentId, company } })
    const roleId = await insertRole({ tx, role: { agentId, name: firstRoleName, codes } })
    const person = { agentId, phone: manager.phone, name: manager.name, level: operatorLevels.admin, roleId }
    const operatorId = await identity.createOperator(tx, person)
    await decideApplication({
      tx,
      number: applicationNumber,
      decision: {
        state: 'accepted',
        agentId,
        decidedBy: caller.name,
        at: new Date(kit.clock.now()),
      },
    })
    // By the order of tenants: whoever writes lines of several takes their turns in that order.
    await audit.act(tx, call, {
      agentId: caller.agentId,
      action: 'application.accept',
      subjectKind: 'application',
      subjectId: applicationNumber,
      after: { agentId, company, parentId },
    })
    await audit.act(tx, call, {
      agentId,
      action: 'agent.create',
      subjectKind: 'agent',
      subjectId: agentId,
      after: { company, parentId, applicationNumber },
    })
    await audit.act(tx, call, {
      agentId,
      action: 'role.create',
      subjectKind: 'role',
      subjectId: roleId,
      after: { name: firstRoleName, codes },
    })
    await audit.act(tx, call, {
      agentId,
      action: 'operator.create',
      subjectKind: 'operator',
      subjectId: operatorId,
      after: { name: manager.name, level: operatorLevels.admin, roleId },
    })
    const areaId = await addArea(parts, tx, { agentId, ...area }, call)
    await identity.accessChanged(tx, { agentId })
    return { agentId, areaId, operatorId, roleId }
  }
  return kit.db.system(open).catch((error: unknown) => {
    if (isTaken(error)) throw new AppError('phone_taken', { cause: error })
    throw error
  })
}
