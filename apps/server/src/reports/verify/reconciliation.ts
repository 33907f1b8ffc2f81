import { sql, type RawBuilder } from 'kysely'
import { paymentChannels } from '@saddle/contract/finance/payments.ts'
import {
  reconciliationGroups,
  reconciliationSums,
  type ReconciliationRow,
  type ReconciliationSum,
} from '@saddle/contract/reports/reconciliation.ts'
import { addDays, businessDayEnd, businessDayStart, dayMs } from '@saddle/contract/time.ts'
import { feesInCents, openDifferenceStates } from '#finance/public.ts'
import type { Kit } from '#kit/kit.ts'
import { computed, rowOfValues } from '#kit/db/rows.ts'
import type { Run } from '../figures/read.ts'
import { daysByKey, readCompanyDays } from '../reconciliation/days.ts'
import { rowsOf, type CompanyDay } from '../reconciliation/rules.ts'
import type { Reconciled } from '../reconciliation/store.ts'
import { below, pick, type Draw } from './draw.ts'

interface Drawn {
  readonly random: Kit['random']
  readonly company: { readonly agent_id: number; readonly first: string | null; readonly last: string | null }
  readonly longestSpanDays: number
}

const rawNames = [...reconciliationSums, 'feeMillicents', 'openDifferences'] as const
const cellNames = [...reconciliationSums, 'openDifferences'] as const

/** All cells of a drawn question about financial reconciliation: the page's rows beside lines, payments and entries. */
export async function verifyReconciliation(run: Run, { random, company, longestSpanDays }: Drawn): Promise<Draw> {
  const { agent_id: agentId, first, last } = company
  const from = addDays(first ?? '', below(random, (Date.parse(last ?? '') - Date.parse(first ?? '')) / dayMs + 1))
  const of: Reconciled = {
    from,
    to: addDays(from, below(random, longestSpanDays)),
    agentIds: [agentId],
    channels: below(random, 3) === 0 ? [pick(random, paymentChannels)] : paymentChannels,
  }
  const by = pick(random, reconciliationGroups)
  const made = await readCompanyDays({ own: run, system: run }, of)
  const raw = await readRawDays(run, of, made)
  const grouped = (days: readonly CompanyDay[]) =>
    new Map(rowsOf(days, { by, nameOf: (key) => key }).map((row) => [row.id, row]))
  return compare(JSON.stringify({ report: 'reconciliation', by, ...of }), grouped(made), grouped(raw))
}

type Rows = ReadonlyMap<string, ReconciliationRow>

function compare(question: string, made: Rows, raw: Rows): Draw {
  const faults: string[] = []
  let cells = 0
  for (const id of new Set([...made.keys(), ...raw.keys()])) {
    for (const name of cellNames) {
      const [is, should] = [made.get(id)?.[name] ?? 0, raw.get(id)?.[name] ?? 0]
      if (is === 0 && should === 0) continue
      cells += 1
      if (is !== should) faults.push(`${question} ${id} ${name}: ${is}, the rows say ${should}`)
    }
  }
  return { cells, faults }
}

const rawRow = rowOfValues({
  agent_id: computed('bigint', sql`f.agent_id`),
  channel: computed('text', sql`f.channel`),
  day: computed('text', sql`to_char(f.day, 'YYYY-MM-DD')`),
  name: computed('text', sql`f.name`),
  value: computed('bigint', sql`sum(f.value)::bigint`),
}).codes({ channel: paymentChannels, name: rawNames })

/** The same days, added up from rows that nothing has summed before. Whether a day has a bill is no figure. */
async function readRawDays(run: Run, of: Reconciled, made: readonly CompanyDay[]): Promise<CompanyDay[]> {
  const dayOf = daysByKey()
  const fees = new Map<string, Map<number, number>>()
  for (const row of await run(selectRaw(of))) {
    const { name, value } = row
    if (name === 'feeMillicents') {
      const key = `${row.channel} ${row.day}`
      fees.set(key, (fees.get(key) ?? new Map<number, number>()).set(row.agent_id, value))
    } else if (name === 'openDifferences') dayOf(row).openDifferences = value
    else dayOf(row).sums[name] = value
  }
  for (const { agentId, channel, day, billState } of made) {
    dayOf({ agent_id: agentId, channel, day }).billState = billState
  }
  // A bill's fee is rounded once, and its cents are divided among its companies.
  for (const own of dayOf.days.values()) {
    own.sums.feeCents = feesInCents(fees.get(`${own.channel} ${own.day}`) ?? new Map()).get(own.agentId) ?? 0
  }
  return [...dayOf.days.values()]
}

const named = (...names: readonly ReconciliationSum[]): RawBuilder<unknown> => sql`unnest(${names}::text[]) n (name)`

function selectRaw({ from, to, agentIds, channels }: Reconciled) {
  const inDays = (day: RawBuilder<unknown>) => sql`${day} between ${from}::date and ${to}::date`
  const within = (at: RawBuilder<unknown>) =>
    sql`${at} >= ${new Date(businessDayStart(from))} and ${at} < ${new Date(businessDayEnd(to))}`
  const dayOf = (at: RawBuilder<unknown>) => sql`(${at} at time zone 'Asia/Shanghai')::date`
  const ofCompanies = (id: RawBuilder<unknown>) => sql`${id} = any (${agentIds}::bigint[])`
  const ofChannels = (name: RawBuilder<unknown>) => sql`${name} = any (${channels}::text[])`
  return rawRow.select`
    from (
      select l.agent_id, l.channel, l.day, case when l.is_refund then 'billRefundedCents' else 'billPaidCents' end as name,
        l.cents as value
      from channel_bill_line l
      where l.status = 'success' and ${ofCompanies(sql`l.agent_id`)} and ${ofChannels(sql`l.channel`)} and ${inDays(sql`l.day`)}
      union all
      select l.agent_id, l.channel, l.day, 'feeMillicents', l.fee_millicents
      from channel_bill_line l where ${ofChannels(sql`l.channel`)} and ${inDays(sql`l.day`)}
      union all
      select d.agent_id, d.channel, d.day, n.name, n.value
      from channel_difference d
      cross join lateral (values ('heldCents', d.held_cents), ('openDifferences', 1)) n (name, value)
      where d.state = any (${[...openDifferenceStates]}::text[]) and ${ofCompanies(sql`d.agent_id`)}
        and ${ofChannels(sql`d.channel`)} and ${inDays(sql`d.day`)}
      union all
      select p.agent_id, p.channel, ${dayOf(sql`p.paid_at`)}, n.name, p.cents
      from payment p cross join lateral (values ('ownPaidCents'), (p.purpose || 'Cents')) n (name)
      where p.state = 'paid' and ${ofCompanies(sql`p.agent_id`)} and ${ofChannels(sql`p.channel`)} and ${within(sql`p.paid_at`)}
      union all
      select r.agent_id, p.channel, ${dayOf(sql`r.done_at`)}, 'ownRefundedCents', r.cents
      from payment_refund r join payment p on p.id = r.payment_id and p.agent_id = r.agent_id
      where r.state = 'done' and ${ofCompanies(sql`r.agent_id`)} and ${ofChannels(sql`p.channel`)} and ${within(sql`r.done_at`)}
      union all
      select c.agent_id, c.way, ${dayOf(sql`c.paid_at`)}, n.name, c.cents
      from charge_note c cross join ${named('ownPaidCents', 'serviceCents')}
      where c.state = 'paid' and ${ofCompanies(sql`c.agent_id`)} and ${ofChannels(sql`c.way`)} and ${within(sql`c.paid_at`)}
      union all
      select e.agent_id, substr(a.kind, 10), ${dayOf(sql`e.occurred_at`)},
        case when l.cents < 0 then 'ledgerPaidCents' else 'ledgerRefundedCents' end, abs(l.cents)
      from ledger_entry e cross join lateral unnest(e.account_ids, e.amounts_cents) as l (account_id, cents)
      join ledger_account a on a.id = l.account_id and a.kind like 'clearing\\_%'
      where e.kind not in ('channel_fee', 'channel_difference') and ${ofCompanies(sql`e.agent_id`)}
        and ${ofChannels(sql`substr(a.kind, 10)`)} and ${within(sql`e.occurred_at`)}
    ) f group by f.agent_id, f.channel, f.day, f.name`
}
