import { sql } from 'kysely'
import { entryKinds } from '@saddle/contract/finance/ledger.ts'
import { withdrawalSourcesMax, type WithdrawalSource } from '@saddle/contract/finance/withdrawals.ts'
import { codeOf } from '#kit/codes.ts'
import type { Database } from '#kit/db/pool.ts'
import { computed, rowOf, rowOfValues, rowsOf } from '#kit/db/rows.ts'
import type { Scope } from '#kit/db/scope.ts'
import { sourcesOf } from './rules.ts'

const flowRow = rowsOf(
  rowOf('ledger_entry', 'e', ['number', 'kind', 'reference', 'occurred_at', 'memo']),
  rowOfValues({ cents: computed('bigint', sql`e.amounts_cents[array_position(e.account_ids, m.id)]`) }),
)

/** Entries that are looked at: a company has one a day and area, and two for each withdrawal. */
const FLOWS_MAX = 200_000

/**
 * What moved a company's available balance, in the order of the book. The kinds that are left out are those of the partial
 * index `ledger_entry_company`: none of them touches that balance.
 */
const selectFlows = ({ agentId, scope }: { agentId: number; scope: Pick<Scope, 'agentIds'> }) =>
  flowRow.select`
    from ledger_account m join ledger_entry e on e.agent_id = m.agent_id and m.id = any (e.account_ids)
      and e.kind not in ('ride_charge', 'ride_refund', 'recharge', 'card_sale', 'card_earning', 'gift_grant', 'gift_expiry',
        'deposit_pay', 'deposit_refund', 'balance_refund', 'refund_paid')
    where m.agent_id = ${agentId} and m.agent_id = any (${scope.agentIds}::bigint[]) and m.kind = 'agent_available'
      and m.owner_id = 0
    order by e.number limit ${FLOWS_MAX}`

const withdrawalOf = (reference: string): number | null => {
  const [, id] = /^withdrawal:(\d+)$/.exec(reference) ?? []
  return id === undefined ? null : Number(id)
}

/** Where each cent of a withdrawal came from. */
export async function readSources(
  db: Database,
  asked: { readonly scope: Scope; readonly agentId: number; readonly withdrawalId: number },
): Promise<{ readonly sources: WithdrawalSource[]; readonly isCut: boolean }> {
  const rows = await db.read(asked.scope, (k) => selectFlows(asked).compile(k))
  const flows = rows.map(({ number, cents, reference }) => ({
    entryNumber: number,
    cents,
    withdrawalId: withdrawalOf(reference),
  }))
  const byNumber = new Map(rows.map((row) => [row.number, row]))
  const found = sourcesOf(flows, asked.withdrawalId).flatMap(({ entryNumber, cents }): WithdrawalSource[] => {
    const row = byNumber.get(entryNumber)
    if (row === undefined) return []
    return [
      {
        entryNumber,
        kind: codeOf(Object.keys(entryKinds) as (keyof typeof entryKinds)[], row.kind),
        reference: row.reference,
        at: row.occurred_at.getTime(),
        entryCents: row.cents,
        cents,
        memo: row.memo,
      },
    ]
  })
  return { sources: found.slice(0, withdrawalSourcesMax), isCut: found.length > withdrawalSourcesMax }
}
