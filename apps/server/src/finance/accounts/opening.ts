import { createHash } from 'node:crypto'
import { AppError } from '@saddle/contract/errors.ts'
import { accountStatuses, type bankAccountEndpoints } from '@saddle/contract/finance/accounts.ts'
import {
  neededPapers,
  paperKindLabels,
  papersOf,
  type BankAccountType,
  type PaperKind,
} from '@saddle/contract/finance/openingDetails.ts'
import type { InputOf } from '@saddle/contract/endpoint.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import type { Tx } from '#kit/db/pool.ts'
import { computed, rowOfValues, rowsOf } from '#kit/db/rows.ts'
import { sql } from 'kysely'
import type { Photos } from '#photos/public.ts'
import type { MoneyDeps } from '../deps.ts'
import { askBank } from '../bank/ask.ts'
import type { Bank } from '../bank/provider.ts'
import { saveAccount } from '../account/store.ts'
import { nextAsk, orderOf } from './accounts.ts'
import {
  accountRow,
  detailsOf,
  latestOpening,
  lockAccount,
  papersIn,
  presentOpening,
  sealDetails,
  selectOpening,
  type OpeningRow,
} from './store.ts'

export type AccountHandlerDeps = Pick<MoneyDeps, 'kit' | 'audit' | 'ledger'> & {
  readonly bank: Bank | null
  readonly photos: Photos
}
type All = Handlers<typeof bankAccountEndpoints>
type Opening = Pick<
  All,
  | 'openAccount'
  | 'uploadCompanyPaper'
  | 'uploadPersonPaper'
  | 'submitCompanyOpening'
  | 'submitPersonOpening'
  | 'copyOpening'
  | 'companyAccount'
  | 'openingPaper'
>

const photoPurpose = 'bank_paper'

/** Throws not_found for a company that is not the caller's to look at. */
export function checkCompany({ scope }: SessionCall, agentId: number): void {
  if (!scope.agentIds.includes(agentId)) throw new AppError('not_found')
}

/** The draft that may still be changed. Throws opening_pending. */
async function draftOf(tx: Tx, agentId: number, at: Date): Promise<OpeningRow | undefined> {
  const account = await lockAccount(tx, agentId, at)
  const latest = await latestOpening(tx, agentId)
  if (latest?.state === 'submitted' || account.status === accountStatuses.active) throw new AppError('opening_pending')
  return latest?.state === 'draft' ? latest : undefined
}

export function createOpeningHandlers(deps: AccountHandlerDeps): Opening {
  return { ...createDrafting(deps), ...createUploads(deps), ...createSubmitting(deps), ...createShowing(deps) }
}

const recordOf = (agentId: number) => ({ agentId, subjectKind: 'agent', subjectId: agentId }) as const

/** Writes the draft of an opening, a new one where there is none. */
async function writeDraft(
  { kit }: AccountHandlerDeps,
  tx: Tx,
  call: SessionCall,
  made: { agentId: number; details: Parameters<typeof sealDetails>[2]; draft: OpeningRow | undefined },
): Promise<OpeningRow> {
  const { secrets } = kit
  const { agentId, details, draft } = made
  const at = new Date(kit.clock.now())
  const values = {
    account_type: details.accountType,
    details_sealed: sealDetails(secrets, agentId, details),
    made_at: at,
    made_by_id: call.caller.operatorId,
    made_by: call.caller.name,
  }
  if (draft === undefined) {
    const number = Buffer.from(kit.random.bytes(16)).toString('hex')
    await tx
      .insertInto('account_opening')
      .values({ agent_id: agentId, number, ...values })
      .execute()
  } else await tx.updateTable('account_opening').set(values).where('id', '=', draft.id).execute()
  await saveAccount({
    tx,
    secrets,
    account: {
      agentId,
      accountLevel: null,
      authStatus: 0,
      status: accountStatuses.draft,
      accountType: details.accountType,
      customerName: details.name,
      name: details.name,
    },
  })
  const row = await latestOpening(tx, agentId)
  if (row === undefined) throw new Error('the draft was written')
  return row
}

function createUploads(deps: AccountHandlerDeps): Pick<Opening, 'uploadCompanyPaper' | 'uploadPersonPaper'> {
  const { kit, audit, photos } = deps
  const { secrets } = kit
  const upload =
    (accountType: BankAccountType) =>
    async (
      { agentId, kind, photo }: InputOf<(typeof bankAccountEndpoints)['uploadCompanyPaper']>,
      call: SessionCall,
    ) => {
      checkCompany(call, agentId)
      return kit.db.system(async (tx) => {
        const draft = await draftOf(tx, agentId, new Date(kit.clock.now()))
        if (draft?.account_type !== accountType || !papersOf[accountType].includes(kind)) throw new AppError('conflict')
        const papers = papersIn(draft)
        const old = papers[kind]
        if (old !== undefined) await photos.release(tx, { agentId, purpose: photoPurpose, ids: [old] })
        const id = await photos.keep(tx, { agentId, areaId: null, purpose: photoPurpose, file: photo })
        await tx
          .updateTable('account_opening')
          .set({ papers: JSON.stringify({ ...papers, [kind]: id }) })
          .where('id', '=', draft.id)
          .execute()
        await audit.act(tx, call, {
          ...recordOf(agentId),
          action: 'account.paper',
          after: { paper: paperKindLabels[kind] },
        })
        const row = await latestOpening(tx, agentId)
        return { suc: true as const, data: presentOpening(secrets, row ?? draft) }
      })
    }
  return { uploadCompanyPaper: upload('company'), uploadPersonPaper: upload('person') }
}

function createDrafting(deps: AccountHandlerDeps): Pick<Opening, 'openAccount' | 'copyOpening'> {
  const { kit, audit, photos } = deps
  const { secrets } = kit

  return {
    openAccount: async ({ agentId, details }, call) => {
      checkCompany(call, agentId)
      return kit.db.system(async (tx) => {
        const draft = await draftOf(tx, agentId, new Date(kit.clock.now()))
        // Papers of a person are none of a company.
        if (draft !== undefined && draft.account_type !== details.accountType) {
          const ids = Object.values(papersIn(draft))
          await photos.release(tx, { agentId, purpose: photoPurpose, ids })
          await tx.updateTable('account_opening').set({ papers: '{}' }).where('id', '=', draft.id).execute()
        }
        const row = await writeDraft(deps, tx, call, { agentId, details, draft })
        await audit.act(tx, call, { ...recordOf(agentId), action: 'account.draft' })
        return { suc: true as const, data: presentOpening(secrets, row) }
      })
    },
    copyOpening: async ({ fromAgentId, agentId }, call) => {
      checkCompany(call, fromAgentId)
      checkCompany(call, agentId)
      if (fromAgentId === agentId) throw new AppError('conflict')
      const [from] = await kit.db.read(call.scope, (k) =>
        selectOpening({ agentId: fromAgentId, scope: call.scope }).compile(k),
      )
      if (from === undefined) throw new AppError('not_found')
      const papers = papersIn(from)
      const shown = await photos.read(call.scope, { purpose: photoPurpose, ids: Object.values(papers) })
      return kit.db.system(async (tx) => {
        const draft = await draftOf(tx, agentId, new Date(kit.clock.now()))
        const row = await writeDraft(deps, tx, call, { agentId, details: detailsOf(secrets, from), draft })
        const copied: Partial<Record<PaperKind, string>> = {}
        for (const [kind, id] of Object.entries(papers) as [PaperKind, string][]) {
          const photo = shown.find((candidate) => candidate.id === id)
          if (photo === undefined) continue
          copied[kind] = await photos.keep(tx, { agentId, areaId: null, purpose: photoPurpose, file: photo.base64 })
        }
        const ids = Object.values(papersIn(row))
        if (ids.length > 0) await photos.release(tx, { agentId, purpose: photoPurpose, ids })
        await tx
          .updateTable('account_opening')
          .set({ papers: JSON.stringify(copied) })
          .where('id', '=', row.id)
          .execute()
        await audit.act(tx, call, { ...recordOf(agentId), action: 'account.copy', after: { agentId: fromAgentId } })
        const made = await latestOpening(tx, agentId)
        return { suc: true as const, data: presentOpening(secrets, made ?? row) }
      })
    },
  }
}

function createSubmitting(deps: AccountHandlerDeps): Pick<Opening, 'submitCompanyOpening' | 'submitPersonOpening'> {
  const { kit, audit, bank, photos } = deps
  const { secrets } = kit

  const submit =
    (accountType: BankAccountType) =>
    async ({ agentId }: { readonly agentId: number }, call: SessionCall) => {
      checkCompany(call, agentId)
      const [draft] = await kit.db.read(call.scope, (k) => selectOpening({ agentId, scope: call.scope }).compile(k))
      if (draft?.state !== 'draft' || draft.account_type !== accountType) throw new AppError('opening_pending')
      const papers = papersIn(draft)
      const missing = neededPapers[accountType].filter((kind) => papers[kind] === undefined)
      if (missing.length > 0) {
        const names = missing.map((kind) => paperKindLabels[kind]).join('、')
        throw new AppError('opening_incomplete', { values: { missing: names } })
      }
      const kinds = Object.entries(papers) as [PaperKind, string][]
      const shown = await photos.read(call.scope, { purpose: photoPurpose, ids: kinds.map(([, id]) => id) })
      // Before the application: papers that arrived and an application that did not do no harm.
      for (const [kind, id] of kinds) {
        const base64 = shown.find((photo) => photo.id === id)?.base64
        if (base64 === undefined) throw new AppError('photo_missing')
        const sha256 = createHash('sha256').update(Buffer.from(base64, 'base64')).digest('hex')
        await askBank(bank, 'paper.upload', { number: draft.number, kind, sha256, base64 })
      }
      await kit.db.system(async (tx) => {
        const at = new Date(kit.clock.now())
        const row = await draftOf(tx, agentId, at)
        if (row?.id !== draft.id) throw new AppError('opening_pending')
        await tx
          .updateTable('account_opening')
          .set({ state: 'submitted', submitted_at: at, next_ask_at: nextAsk(at.getTime(), 0) })
          .where('id', '=', row.id)
          .execute()
        await tx
          .updateTable('financial_account')
          .set({ status: accountStatuses.reviewing, changed_at: at })
          .where('agent_id', '=', agentId)
          .execute()
        await audit.act(tx, call, { ...recordOf(agentId), action: 'account.submit' })
      })
      try {
        await bank?.ask('account.open', orderOf(secrets, draft))
      } catch (err) {
        // The application is made again under its number when the bank is asked for it.
        kit.log.warn({ err, agentId }, 'the bank has not answered an application for an account')
      }
      const [row] = await kit.db.read(call.scope, (k) => selectOpening({ agentId, scope: call.scope }).compile(k))
      return { suc: true as const, data: presentOpening(secrets, row ?? draft) }
    }

  return { submitCompanyOpening: submit('company'), submitPersonOpening: submit('person') }
}

const companyRow = rowsOf(rowOfValues({ company: computed('text', sql`a.company`) }), accountRow.optional())

function createShowing({ kit, photos }: AccountHandlerDeps): Pick<Opening, 'companyAccount' | 'openingPaper'> {
  return {
    companyAccount: async ({ agentId }, call) => {
      checkCompany(call, agentId)
      const { scope } = call
      const [[company], [opening]] = await Promise.all([
        kit.db.read(scope, (k) =>
          companyRow.select`
            from agent a left join financial_account f on f.agent_id = a.id
            where a.id = ${agentId} and a.id = any (${scope.agentIds}::bigint[])`.compile(k),
        ),
        kit.db.read(scope, (k) => selectOpening({ agentId, scope }).compile(k)),
      ])
      if (company === undefined) throw new AppError('not_found')
      return {
        suc: true,
        data: {
          agentId,
          company: company.company,
          status: company.status,
          bankNumber: company.bank_number,
          openedAt: company.opened_at?.getTime() ?? null,
          opening: opening === undefined ? null : presentOpening(kit.secrets, opening),
        },
      }
    },

    openingPaper: async ({ agentId, kind }, call) => {
      checkCompany(call, agentId)
      const { scope } = call
      const [opening] = await kit.db.read(scope, (k) => selectOpening({ agentId, scope }).compile(k))
      const id = opening === undefined ? undefined : papersIn(opening)[kind]
      if (id === undefined) throw new AppError('not_found')
      return { suc: true, data: { list: await photos.read(scope, { purpose: photoPurpose, ids: [id] }) } }
    },
  }
}
