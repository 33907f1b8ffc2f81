import { sql } from 'kysely'
import { balanceMarksCents } from '@saddle/contract/rider/riders.ts'
import { computed, rowOf, rowOfValues, rowsOf } from '#kit/db/rows.ts'
import type { Kit } from '#kit/kit.ts'

const entriesPerTurn = 20_000
const walletKinds = ['rider_balance', 'rider_gift']

/**
 * Reads the books of the ledger on from where it stopped, and gives the riders whose money has moved the mark of what
 * they have now. Resolves to how many entries were read; the ledger itself knows nothing of it.
 */
export async function followBalances({ db }: Pick<Kit, 'db'>): Promise<number> {
  const books = await db.systemRead<{ agent_id: number; done: number; until: number }>((k) =>
    rowsOf(
      rowOf('ledger_book', 'b', ['agent_id']),
      rowOfValues({
        done: computed('bigint', sql`coalesce(p.entry_number, 0)`),
        until: computed('bigint', sql`least(b.entry_number, coalesce(p.entry_number, 0) + ${entriesPerTurn})`),
      }),
    ).select`
      from ledger_book b left join rider_balance_cursor p on p.book_id = b.agent_id
      where b.entry_number > coalesce(p.entry_number, 0) order by b.agent_id`.compile(k),
  )
  let read = 0
  for (const book of books) {
    await db.system(async (tx) => {
      await sql`
        with moved as (
          select distinct unnest(e.account_ids) as account_id from ledger_entry e
          where e.agent_id = ${book.agent_id} and e.number > ${book.done} and e.number <= ${book.until}
        ),
        owner as (
          select distinct a.owner_id from ledger_account a
          where a.id in (select account_id from moved) and a.kind = any (${walletKinds}::text[])
        ),
        held as (
          select o.owner_id, sum(b.balance_cents) as cents from owner o
          join ledger_account a on a.agent_id = ${book.agent_id} and a.kind = any (${walletKinds}::text[])
            and a.owner_id = o.owner_id
          join ledger_balance b on b.account_id = a.id group by o.owner_id
        ),
        mark as (
          select owner_id, (select count(*) from unnest(${[...balanceMarksCents]}::bigint[]) m where m <= cents)::smallint as mark
          from held
        )
        update rider r set balance_mark = mark.mark from mark
        where r.id = mark.owner_id and r.agent_id = ${book.agent_id} and r.balance_mark <> mark.mark`.execute(tx)
      await sql`
        insert into rider_balance_cursor (book_id, entry_number) values (${book.agent_id}, ${book.until})
        on conflict (book_id) do update set entry_number = greatest(rider_balance_cursor.entry_number, excluded.entry_number)
      `.execute(tx)
    })
    read += book.until - book.done
  }
  return read
}
