import { sql } from 'kysely'
import { computed, rowOfValues, type RowOf } from '#kit/db/rows.ts'

const walletKinds = ['rider_balance', 'rider_gift', 'rider_deposit', 'rider_deposit_frozen', 'card_unearned']

const untold = ['card_earning', 'balance_refund', 'deposit_refund']

const moneyRow = rowOfValues({
  at: computed('timestamptz', sql`told.at`),
  code: computed('text', sql`told.code`),
  text: computed('text', sql`told.text`),
  cents: computed('bigint', sql`told.cents`),
})
export type MoneyRow = RowOf<typeof moneyRow>

/**
 * The ledger's entries that moved money of a rider who was looked up within the scope, newest first: each with what it
 * gave (above zero) or took in all of the rider's accounts, or how much only went from one of them to another. What a
 * card earns day by day is the company's bookkeeping and nothing that happened to the rider. Money that goes back through
 * a channel is told once, as the refund that it is, whatever account it was taken from.
 */
export function selectMoneyEvents(
  { id, agent_id }: { readonly id: number; readonly agent_id: number },
  { before, limit }: { readonly before: Date; readonly limit: number },
) {
  return moneyRow.select`
    from (
    (select e.occurred_at as at, e.kind as code, e.memo as text, (
      select coalesce(nullif(sum(l.cents), 0), max(l.cents), 0) from unnest(e.account_ids, e.amounts_cents) as l (account_id, cents)
      where l.account_id = any (own.ids)
    )::bigint as cents
    from (
      select array_agg(a.id) as ids from ledger_account a
      where a.agent_id = ${agent_id} and a.kind = any (${walletKinds}::text[]) and a.owner_id = ${id}
    ) own
    cross join lateral (
      select distinct n.number from unnest(own.ids) as account (id)
      cross join lateral (
        select p.entry_number as number from ledger_owner_posting p
        join ledger_entry e on e.agent_id = p.agent_id and e.number = p.entry_number
        where p.account_id = account.id and e.occurred_at < ${before} and e.kind <> all (${untold}::text[])
        order by p.entry_number desc limit ${limit}
      ) n
    ) known
    join ledger_entry e on e.agent_id = ${agent_id} and e.number = known.number
    order by e.occurred_at desc, e.number desc limit ${limit})
    union all
    (select r.created_at, 'channel_' || r.state, r.reason, r.cents
      from payment p join payment_refund r on r.payment_id = p.id and r.agent_id = p.agent_id
      where p.agent_id = ${agent_id} and p.rider_id = ${id} and r.created_at < ${before}
      order by r.created_at desc, r.id desc limit ${limit})
    ) told order by told.at desc limit ${limit}`
}
