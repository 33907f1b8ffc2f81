import { dayMs } from '@saddle/contract/time.ts'
import { sealCard, sealDetails } from '#finance/accounts/store.ts'
import { withdrawalPaid, withdrawalRequest } from '#finance/ledger/recipes.ts'
import { createLedger } from '#finance/ledger/ledger.ts'
import { changeWithdrawal, insertWithdrawal, lockWithdrawal } from '#finance/withdrawals/store.ts'
import type { Kit } from '#kit/kit.ts'
import type { Tx } from '#kit/db/pool.ts'
import { createPhotos } from '#photos/public.ts'
import { samples } from '#photos/codec/samples.fixture.ts'

/** Things of a company's account that a call could reach for. */
export type BankThings = {
  /** Bound two days ago, and one that is not checked yet. */
  readonly cardId: number
  readonly checkingCardId: number
  /** Withdrawals: one without its password, one that waits for a second person, one that is paid. */
  readonly filedId: number
  readonly waitingId: number
  readonly paidId: number
}

type Options = {
  readonly tx: Tx
  readonly kit: Kit
  readonly agentId: number
  /** Who has filed the withdrawals. */
  readonly operatorId: number
  readonly marker: string
  readonly at: Date
}

/** An open account with cards, a sub-account, terms and withdrawals; every text holds the marker. */
export async function addBankThings(options: Options): Promise<BankThings> {
  const { tx, kit, agentId, marker, at } = options
  const hex = (what: string): string => Buffer.from(`${what}${agentId}`.padEnd(16, '.')).toString('hex').slice(0, 32)
  const [by, earlier] = [`${marker} clerk`, new Date(at.getTime() - 2 * dayMs)]
  await tx
    .updateTable('financial_account')
    .set({ bank_number: `SB${marker}`, opened_at: earlier, changed_at: earlier })
    .where('agent_id', '=', agentId)
    .execute()
  const photos = createPhotos(kit)
  const licence = await photos.keep(tx, { agentId, areaId: null, purpose: 'bank_paper', file: samples.png })
  await tx
    .insertInto('account_opening')
    .values({
      agent_id: agentId,
      number: hex('opening'),
      account_type: 'company',
      state: 'opened',
      details_sealed: sealDetails(kit.secrets, agentId, {
        accountType: 'company',
        name: `${marker} name`,
        creditCode: '91320594MA1XABCD2E',
        legalPerson: `${marker} person`,
        legalPersonId: '320500199001010000',
        mobile: '13800000000',
        email: `${marker.toLowerCase()}@example.com`,
      }),
      papers: JSON.stringify({ licence }),
      made_at: earlier,
      made_by: by,
      submitted_at: earlier,
      decided_at: earlier,
    })
    .execute()
  const seal = sealCard(kit.secrets, agentId)
  const sealed = {
    card_sealed: seal(`622202000000000${agentId}`),
    mobile_sealed: seal('13800000000'),
    holder_sealed: seal(`${marker} holder`),
    last_digits: `000${agentId}`,
    bank_name: `${marker} bank`,
  }
  const [card, checking] = await tx
    .insertInto('bank_card')
    .values([
      {
        agent_id: agentId,
        number: hex('card'),
        state: 'bound',
        check_kind: 'amount',
        ...sealed,
        token: `CT${marker}`,
        added_at: earlier,
        added_by: by,
        bound_at: earlier,
      },
      {
        agent_id: agentId,
        number: hex('checked'),
        state: 'checking',
        check_kind: 'code',
        ...sealed,
        card_sealed: seal(`622202000000001${agentId}`),
        token: null,
        added_at: at,
        added_by: by,
        bound_at: null,
      },
    ])
    .returning('id')
    .execute()
  const sub = { name: `${marker} partner`, state: 'open', bank_number: `SS${marker}`, added_at: earlier, added_by: by }
  await tx
    .insertInto('sub_account')
    .values({ agent_id: agentId, number: hex('sub'), ...sub })
    .execute()
  const terms = { isAllowed: true, minCents: 1, dailyCents: 1_000_000, feeCents: 0, secondCents: 100 + agentId }
  await tx
    .insertInto('withdrawal_terms')
    .values({
      agent_id: agentId,
      version: 1,
      terms: JSON.stringify(terms),
      reason: `${marker} reason`,
      made_at: earlier,
      made_by: by,
    })
    .execute()
  const cardId = card?.id ?? 0
  return { cardId, checkingCardId: checking?.id ?? 0, ...(await addWithdrawals({ ...options, cardId, hex })) }
}

async function addWithdrawals(
  options: Options & { readonly cardId: number; readonly hex: (what: string) => string },
): Promise<Pick<BankThings, 'filedId' | 'waitingId' | 'paidId'>> {
  const { tx, kit, agentId, operatorId, marker, at, cardId, hex } = options
  const ledger = createLedger(kit)
  const scope = { agentIds: [agentId] }
  const person = { operatorId, name: `${marker} worker` }
  const day = at.toISOString().slice(0, 10)
  const later = new Date(at.getTime() + dayMs)
  await tx
    .insertInto('withdrawal_day')
    .values({ agent_id: agentId, day, cents: 300 + agentId })
    .execute()
  await ledger.post(
    {
      agentId,
      kind: 'adjustment',
      reference: `opening:${agentId}`,
      memo: `${marker} opening`,
      lines: [
        { account: { kind: 'adjustment' }, amountCents: -10_000 - agentId },
        { account: { kind: 'agent_available' }, amountCents: 10_000 + agentId },
      ],
    },
    tx,
  )
  const add = async (what: string, state: 'authorising' | 'waiting' | 'paid'): Promise<number> => {
    const made = { agentId, number: hex(what), cardId, cents: 100, feeCents: 0, termsVersion: 1, day, at }
    const id = await insertWithdrawal(tx, { ...made, expiresAt: later, by: person })
    const row = await lockWithdrawal(tx, { id, scope })
    if (row === undefined || state === 'authorising') return id
    const values =
      state === 'waiting'
        ? { needs_second: true }
        : { paid_at: at, ended_at: at, bank_number: `P${marker}`, bank_at: 1 }
    await changeWithdrawal(tx, row, { state, at, by: person, note: `${marker} note`, nextAt: null, values })
    const movement = { agentId, withdrawalId: id, cents: 100, at: at.getTime() }
    await ledger.post(withdrawalRequest(movement), tx)
    if (state === 'paid') await ledger.post(withdrawalPaid({ ...movement, feeCents: 0 }), tx)
    return id
  }
  return {
    filedId: await add('filed', 'authorising'),
    waitingId: await add('waiting', 'waiting'),
    paidId: await add('paid', 'paid'),
  }
}
