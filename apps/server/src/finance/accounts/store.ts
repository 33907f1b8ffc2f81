import { sql } from 'kysely'
import {
  bankCardStates,
  cardCheckKinds,
  cardTriesMax,
  openingStates,
  type BankCard,
  type Opening,
} from '@saddle/contract/finance/accounts.ts'
import {
  openingDetailsSchema,
  paperKinds,
  type OpeningDetails,
  type PaperKind,
} from '@saddle/contract/finance/openingDetails.ts'
import { z } from 'zod'
import type { Keyring } from '#kit/crypto.ts'
import type { Tx } from '#kit/db/pool.ts'
import { rowOf, type RowOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { restsUntil } from '../withdrawals/rules.ts'

export const openingPurpose = 'account-opening'
export const cardPurpose = 'bank-card'

export const openingRow = rowOf('account_opening', 'o', [
  'id',
  'agent_id',
  'number',
  'account_type',
  'state',
  'details_sealed',
  'papers',
  'reason',
  'made_at',
  'made_by',
  'submitted_at',
  'decided_at',
  'asks',
]).codes({ state: openingStates, account_type: ['company', 'person'] })
export type OpeningRow = RowOf<typeof openingRow>

const papersSchema = z.partialRecord(z.enum(paperKinds), z.uuid())
export const papersIn = (row: Pick<OpeningRow, 'papers'>): Partial<Record<PaperKind, string>> =>
  papersSchema.parse(row.papers)

export const sealDetails = (secrets: Keyring, agentId: number, details: OpeningDetails): string =>
  secrets.encryptText({ purpose: openingPurpose, text: JSON.stringify(details), context: String(agentId) })

export function detailsOf(secrets: Keyring, row: Pick<OpeningRow, 'agent_id' | 'details_sealed'>): OpeningDetails {
  const sealed = row.details_sealed
  const text = secrets.decryptText({ purpose: openingPurpose, sealed, context: String(row.agent_id) })
  return openingDetailsSchema.parse(JSON.parse(text))
}

const hidden = (text: string): string =>
  `${text.slice(0, 3)}${'*'.repeat(Math.max(0, text.length - 7))}${text.slice(-4)}`

/** Once it was sent nobody needs the whole numbers any more; the form is kept: eighteen digits. */
const hiddenId = (text: string): string => `${text.slice(0, 3)}${'0'.repeat(11)}${text.slice(-4)}`

export function presentOpening(secrets: Keyring, row: OpeningRow): Opening {
  const details = detailsOf(secrets, row)
  const isDraft = row.state === 'draft'
  const shown =
    details.accountType === 'company'
      ? { ...details, legalPersonId: isDraft ? details.legalPersonId : hiddenId(details.legalPersonId) }
      : { ...details, identityNumber: isDraft ? details.identityNumber : hiddenId(details.identityNumber) }
  const {
    agentId: _agent,
    number: _number,
    detailsSealed: _sealed,
    papers: _papers,
    asks: _asks,
    ...rest
  } = openingRow.present(row)
  return { ...rest, details: shown, papers: paperKinds.filter((kind) => papersIn(row)[kind] !== undefined) }
}

type OfAgent = { readonly agentId: number; readonly scope: Pick<Scope, 'agentIds'> }
const inScope = (alias: string, { agentId, scope }: OfAgent) =>
  sql`${sql.ref(`${alias}.agent_id`)} = ${agentId} and ${sql.ref(`${alias}.agent_id`)} = any (${scope.agentIds}::bigint[])`

/** The latest application of a company. */
export const selectOpening = (of: OfAgent) =>
  openingRow.select`from account_opening o where ${inScope('o', of)} order by o.id desc limit 1`

export const selectOpeningByNumber = (number: string) =>
  openingRow.select`from account_opening o where o.number = ${number} for no key update`

/** Of a company whose account row the caller has locked. */
export async function latestOpening(tx: Tx, agentId: number): Promise<OpeningRow | undefined> {
  const { rows } = await openingRow.select`
    from account_opening o where o.agent_id = ${agentId} order by o.id desc limit 1 for no key update`.execute(tx)
  return rows[0]
}

export const accountRow = rowOf('financial_account', 'f', [
  'agent_id',
  'status',
  'bank_number',
  'opened_at',
  'account_type',
])

/** The row of a company's account, made where there is none; others of the company wait until the transaction ends. */
export async function lockAccount(tx: Tx, agentId: number, at: Date): Promise<RowOf<typeof accountRow>> {
  await tx
    .insertInto('financial_account')
    .values({ agent_id: agentId, changed_at: at })
    .onConflict((conflict) => conflict.column('agent_id').doNothing())
    .execute()
  const { rows } = await accountRow.select`
    from financial_account f where f.agent_id = ${agentId} for no key update`.execute(tx)
  const [row] = rows
  if (row === undefined) throw new Error('the account was made')
  return row
}

export const cardRow = rowOf('bank_card', 'c', [
  'id',
  'agent_id',
  'number',
  'state',
  'check_kind',
  'card_sealed',
  'mobile_sealed',
  'holder_sealed',
  'bank_name',
  'token',
  'tries',
  'code_sent_at',
  'added_at',
  'added_by',
  'bound_at',
  'reason',
]).codes({ state: bankCardStates, check_kind: cardCheckKinds })
export type CardRow = RowOf<typeof cardRow>

export const sealCard =
  (secrets: Keyring, agentId: number) =>
  (text: string): string =>
    secrets.encryptText({ purpose: cardPurpose, text, context: String(agentId) })
export const openCard = (secrets: Keyring, { agent_id }: Pick<CardRow, 'agent_id'>, sealed: string): string =>
  secrets.decryptText({ purpose: cardPurpose, sealed, context: String(agent_id) })

export function presentCard(secrets: Keyring, row: CardRow): BankCard {
  const open = (sealed: string): string => openCard(secrets, row, sealed)
  const { id, state, checkKind, bankName, tries, addedAt, addedBy, boundAt, reason } = cardRow.present(row)
  return {
    id,
    state,
    checkKind,
    bankName,
    addedAt,
    addedBy,
    boundAt,
    reason,
    cardNo: `**** **** **** ${open(row.card_sealed).slice(-4)}`,
    bankMobile: hidden(open(row.mobile_sealed)),
    holder: open(row.holder_sealed),
    triesLeft: Math.max(0, cardTriesMax - tries),
    restsUntil: boundAt === null ? null : restsUntil(boundAt),
  }
}

export const selectCards = (of: OfAgent) =>
  cardRow.select`from bank_card c where ${inScope('c', of)} order by c.id desc limit 50`

type OfScope = { readonly id: number; readonly scope: Pick<Scope, 'agentIds'> }
export const selectCard = ({ id, scope }: OfScope) =>
  cardRow.select`from bank_card c where c.id = ${id} and c.agent_id = any (${scope.agentIds}::bigint[])`

export async function lockCard(tx: Tx, { id, scope }: OfScope): Promise<CardRow | undefined> {
  const { rows } = await cardRow.select`
    from bank_card c where c.id = ${id} and c.agent_id = any (${scope.agentIds}::bigint[]) for no key update`.execute(
    tx,
  )
  return rows[0]
}

export const subAccountRow = rowOf('sub_account', 's', [
  'id',
  'name',
  'note',
  'state',
  'bank_number',
  'added_at',
  'added_by',
]).codes({ state: ['opening', 'open', 'refused'] })

export const selectSubAccounts = (of: OfAgent) =>
  subAccountRow.select`from sub_account s where ${inScope('s', of)} order by s.id limit 50`
