import type { Run } from '../figures/read.ts'
import { noSums, type CompanyDay } from './rules.ts'
import { selectBills, selectCleared, selectOwn, type Reconciled } from './store.ts'

export interface DayReads {
  /** Within the scope of the caller. */
  readonly own: Run
  /** What belongs to whole companies, whatever areas the caller sees. */
  readonly system: Run
}

/** Every day of a company and channel on which one of the sides has something. */
export async function readCompanyDays({ own: ownRun, system }: DayReads, of: Reconciled): Promise<CompanyDay[]> {
  const [bills, own, cleared] = await Promise.all([
    ownRun(selectBills(of)),
    ownRun(selectOwn(of)),
    system(selectCleared(of)),
  ])
  const dayOf = daysByKey()
  for (const row of bills) {
    const day = dayOf(row)
    day.billState = row.state === 'parked' ? 'parked' : 'matched'
    day.openDifferences = row.open_differences
    Object.assign(day.sums, {
      billPaidCents: row.bill_paid_cents,
      billRefundedCents: row.bill_refunded_cents,
      feeCents: row.fee_cents,
      heldCents: row.held_cents,
    })
  }
  for (const row of own) {
    Object.assign(dayOf(row).sums, {
      ownPaidCents: row.paid,
      ownRefundedCents: row.refunded,
      rideCents: row.ride,
      rechargeCents: row.recharge,
      depositCents: row.deposit,
      cardCents: row.card,
      serviceCents: row.service,
    })
  }
  for (const row of cleared) {
    Object.assign(dayOf(row).sums, { ledgerPaidCents: row.paid, ledgerRefundedCents: row.refunded })
  }
  return [...dayOf.days.values()]
}

type DayKey = Pick<CompanyDay, 'channel' | 'day'> & { readonly agent_id: number }

/** The day of a company and channel, made when it is asked for first. */
export function daysByKey() {
  const days = new Map<string, CompanyDay>()
  const dayOf = ({ agent_id: agentId, channel, day }: DayKey): CompanyDay => {
    const key = `${agentId} ${channel} ${day}`
    const known = days.get(key) ?? { agentId, channel, day, sums: noSums(), openDifferences: 0, billState: null }
    days.set(key, known)
    return known
  }
  return Object.assign(dayOf, { days })
}
