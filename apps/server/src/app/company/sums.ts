import type { Client } from 'pg'
import type { Sums } from './format.ts'

/** What must be equal on both sides, beside the number of rows of each table. */
export async function sumsOf(client: Client, agentIds: readonly number[]): Promise<Sums> {
  const ids = agentIds.join(', ')
  const { rows } = await client.query<{ what: string; sum: string }>(`
    select 'riders' as what, count(*)::text as sum from rider where agent_id in (${ids})
    union all select 'vehicles', count(*)::text from vehicle where agent_id in (${ids})
    union all select 'rides', count(*)::text from ride_order where agent_id in (${ids})
    union all select 'rides charged, cents', coalesce(sum(charged_cents), 0)::text from ride_order where agent_id in (${ids})
    union all select 'rides refunded, cents', coalesce(sum(refunded_cents), 0)::text from ride_order where agent_id in (${ids})
    union all select 'ledger entries', count(*)::text from ledger_entry where agent_id in (${ids})
    union all select 'ledger turnover, cents', coalesce(sum(p.cents) filter (where p.cents > 0), 0)::text
      from ledger_entry e cross join unnest(e.amounts_cents) p (cents) where e.agent_id in (${ids})
    union all select 'ledger total, cents', coalesce(sum(p.cents), 0)::text
      from ledger_entry e cross join unnest(e.amounts_cents) p (cents) where e.agent_id in (${ids})
    union all select 'balances of ' || a.kind || ', cents', sum(b.balance_cents)::text
      from ledger_balance b join ledger_account a on a.id = b.account_id where a.agent_id in (${ids}) group by a.kind
    union all select 'audit records', count(*)::text from audit_record where agent_id in (${ids})
    union all select 'photos', count(*)::text from photo where agent_id in (${ids})
    order by 1`)
  return Object.fromEntries(rows.map(({ what, sum }) => [what, sum]))
}
