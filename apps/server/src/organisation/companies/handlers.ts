import { AppError } from '@saddle/contract/errors.ts'
import { agentTreeMax, type AgentNode, type companyEndpoints } from '@saddle/contract/organisation/companies.ts'
import { useKinds } from '@saddle/contract/organisation/uses.ts'
import type { InputOf } from '@saddle/contract/endpoint.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { checkPlatform } from '#organisation/agents/platform.ts'
import { insertAgent } from '#organisation/agents/store.ts'
import type { CompanyDeps } from '#organisation/deps.ts'
import { checkMove } from './rules.ts'
import {
  countCompanies,
  countCompanyUses,
  idsBelow,
  lockCompany,
  lockTree,
  readNode,
  readTree,
  type HeldCompany,
} from './store.ts'

type Change = InputOf<typeof companyEndpoints.changeAgent>

/** The tree of companies, as far as the caller sees it. */
export function createCompanyHandlers(parts: CompanyDeps): Handlers<typeof companyEndpoints> {
  const { kit, audit, identity } = parts
  const { db, clock } = kit
  return {
    agentTree: async ({ withAreas, withFigures }, { scope }) => ({
      suc: true,
      data: { list: await readTree({ db, scope, withAreas, withFigures }) },
    }),

    // Of everything granted: who opens a company chooses its place in the whole tree.
    adminAgentTree: async (_, call) => {
      await checkPlatform(db, call)
      return { suc: true, data: { list: await readTree({ db, scope: call.grant }) } }
    },

    createAgent: async ({ parentId, company }, call) => {
      if (!call.scope.agentIds.includes(parentId)) throw new AppError('foreign_scope')
      const node = await db.system(async (tx) => {
        await checkRoom(tx)
        const agentId = await insertAgent({ tx, agent: { parentId, company } })
        const made = await readNode({ tx, scope: { ...call.scope, agentIds: [agentId] }, agentId })
        await audit.act(tx, call, {
          agentId,
          action: 'agent.create',
          subjectKind: 'agent',
          subjectId: agentId,
          after: { company, parentId },
        })
        // Whoever stands above sees it from now on.
        await identity.accessChanged(tx, { agentId })
        return made
      })
      return { suc: true, data: mustBe(node) }
    },

    changeAgent: async (input, call) => ({ suc: true, data: await changeCompany(parts, input, call) }),

    agentUses: async ({ id }, { caller, scope }) => {
      const own = { ...scope, agentIds: scope.agentIds.filter((agentId) => agentId === id) }
      const [company] = await readTree({ db, scope: own })
      if (company === undefined) throw new AppError('foreign_scope')
      const counts = await countCompanyUses({ db, scope, agentId: id, now: new Date(clock.now()) })
      const list = useKinds.flatMap((kind) => {
        const count = kind in counts ? counts[kind as keyof typeof counts] : 0
        return count === 0 ? [] : [{ kind, count }]
      })
      const isFixed = company.parentId === null || company.id === caller.agentId
      return { suc: true, data: { list, refusal: isFixed ? new AppError('own_company').message : null } }
    },
  }
}

/** Throws when the tree is full; companies are added one after the other. */
export async function checkRoom(tx: Tx): Promise<void> {
  await lockTree(tx)
  if ((await countCompanies(tx)) >= agentTreeMax) throw new AppError('too_many_companies')
}

async function changeCompany(parts: CompanyDeps, input: Change, call: SessionCall): Promise<AgentNode> {
  const { kit, audit, identity } = parts
  const { scope, caller } = call
  const { id, parentId } = input
  if (!scope.agentIds.includes(id)) throw new AppError('foreign_scope')
  if (parentId !== undefined && !scope.agentIds.includes(parentId)) throw new AppError('foreign_scope')
  // With all that was granted: what lies below a company is to be known whole, whatever the header selects.
  return kit.db.withScope(call.grant, async (tx) => {
    if (parentId !== undefined) await lockTree(tx)
    const before = mustBe(await lockCompany({ tx, scope, agentId: id }))
    const isFixed = before.parentId === null || id === caller.agentId
    if (input.state === 'disabled' && isFixed) throw new AppError('own_company')
    if (parentId !== undefined && parentId !== before.parentId) {
      checkMove({ company: before, parentId, callerAgentId: caller.agentId, below: await idsBelow(tx, id) })
    }
    const changes = changedOf(before, input)
    if (Object.keys(changes.after).length > 0) {
      await tx
        .updateTable('agent')
        .set(changes.columns)
        .where('id', '=', id)
        .where((eb) => eb('agent_id', '=', eb.fn.any(eb.val(scope.agentIds))))
        .execute()
      const { after } = changes
      if (after.devicePolicy === 'approval' && id === caller.agentId) await identity.approveOwnDevice(tx, call)
      await audit.act(tx, call, {
        agentId: id,
        action: 'agent.change',
        subjectKind: 'agent',
        subjectId: id,
        before: changes.before,
        after,
      })
      await identity.accessChanged(tx, { agentId: id })
      // Those above the place that it left see it no more.
      if (after.parentId !== undefined && before.parentId !== null) {
        await identity.accessChanged(tx, { agentId: before.parentId })
      }
    }
    return mustBe(await readNode({ tx, scope, agentId: id }))
  })
}

/** Which columns a change sets, and what the line says of before and after: only what is really different. */
function changedOf(before: HeldCompany, { parentId, company, state, devicePolicy, financeTotpFrom }: Change) {
  const old = { ...before, financeTotpFrom: before.financeTotpFrom?.getTime() ?? null }
  const wanted = Object.entries({ parentId, company, state, devicePolicy, financeTotpFrom })
  const different = wanted.filter(([name, value]) => value !== undefined && value !== old[name as keyof typeof old])
  const names = new Set(different.map(([name]) => name))
  return {
    before: Object.fromEntries(Object.entries(old).filter(([name]) => names.has(name))),
    after: Object.fromEntries(different),
    columns: {
      ...(parentId !== undefined && { parent_id: parentId }),
      ...(company !== undefined && { company }),
      ...(state !== undefined && { state }),
      ...(devicePolicy !== undefined && { device_policy: devicePolicy }),
      ...(financeTotpFrom !== undefined && {
        finance_totp_from: financeTotpFrom === null ? null : new Date(financeTotpFrom),
      }),
    },
  }
}

function mustBe<T>(row: T | null | undefined): T {
  if (row === null || row === undefined) throw new AppError('not_found')
  return row
}
