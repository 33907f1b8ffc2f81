import { sql, type RawBuilder } from 'kysely'
import { paymentChannels, type PaymentChannelName } from '@saddle/contract/finance/payments.ts'
import { addDays, businessDayEnd, businessDayOf, businessDayStart, hourMs } from '@saddle/contract/time.ts'
import { computed, rowOf, rowOfValues } from '#kit/db/rows.ts'
import type { Kit } from '#kit/kit.ts'
import type { Ledger } from '../ledger/ledger.ts'
import type { PaymentChannel } from '../payments/channel.ts'
import type { Payments } from '../payments/payments.ts'
import { BillError } from './bill.ts'
import { readBill, withBillFile } from './billFile.ts'
import { compareBill, type ComparedBill } from './compare.ts'
import { selectMovements } from './movements.ts'
import { askForRefund } from './resolve.ts'
import { countDays } from './store.ts'

export type JobDeps = {
  readonly kit: Pick<Kit, 'db' | 'clock' | 'log' | 'random'>
  readonly ledger: Pick<Ledger, 'post'>
  readonly payments: Pick<Payments, 'bills' | 'giveBackUnbooked' | 'book'>
}

/** Days back that are looked for: WeChat Pay keeps bills three months. */
const daysBack = 35
const retryAfterMs = hourMs
/** When the bill of a day of the demo's past would have been there. */
const billAfterMs = 10 * hourMs
const refundsAtOnce = 100

export type BillJob = {
  /**
   * Fetches and compares the bills that are missing, the oldest first; a bill that cannot be read is tried again an hour later.
   * `beginsNew`: also of channels that no bill was compared of. Resolves to the number of bills.
   */
  run(options?: { readonly beginsNew?: boolean; readonly isPast?: boolean }): Promise<number>
}

export function createBillJob(deps: JobDeps): BillJob {
  const { kit, payments } = deps
  const triedAt = new Map<string, number>()

  const compareOne = async (of: Pick<PaymentChannel, 'bill'>, bill: Day, isPast: boolean): Promise<boolean> => {
    const { channel, day } = bill
    const key = `${channel} ${day}`
    const now = kit.clock.now()
    if ((triedAt.get(key) ?? -Infinity) > now - retryAfterMs) return false
    triedAt.set(key, now)
    try {
      const at = isPast ? Math.min(now, businessDayEnd(day) + billAfterMs) : now
      const compared = await fetchAndCompare(deps, of, { ...bill, at })
      if (compared === null) return false
      triedAt.delete(key)
      kit.log.info({ channel, day, ...compared }, 'a bill of a payment channel is compared')
      return true
    } catch (err) {
      kit.log.error({ err, channel, day }, 'a bill of a payment channel was not compared')
      return false
    }
  }

  return {
    run: async ({ beginsNew = true, isPast = false } = {}) => {
      let count = 0
      for (const channel of paymentChannels) {
        const of = payments.bills.find(({ name }) => name === channel)
        if (of === undefined) continue
        const days = await missingDays(deps, channel)
        if (!beginsNew && !days.hasBegun) continue
        for (const day of days.missing) if (await compareOne(of, { channel, day }, isPast)) count += 1
      }
      await clearBooked(deps)
      if (count > 0) await requestRefundsAgain(deps)
      return count
    },
  }
}

type Day = { readonly channel: PaymentChannelName; readonly day: string }

/** Null: the bill is not there yet. Throws BillError before anything is kept. */
export async function fetchAndCompare(
  { kit, ledger }: Pick<JobDeps, 'ledger'> & { readonly kit: Pick<Kit, 'db'> },
  channel: Pick<PaymentChannel, 'bill'>,
  { at, ...of }: Day & { readonly at: number },
): Promise<ComparedBill | null> {
  const bill = await channel.bill(of.day)
  if (bill === null) return null
  return withBillFile(bill.chunks, (file) => {
    if (bill.sha1 !== null && bill.sha1 !== file.sha1) {
      throw new BillError('the file has another hash than the channel names', { code: 'channel_bill_incomplete' })
    }
    const batches = readBill(file, { format: bill.format })
    return compareBill({ db: kit.db, ledger }, { ...of, batches, hash: file.sha256, source: 'fetched', by: '', at })
  })
}

const missingRow = rowOfValues({ day: computed('date', sql`d.day`) })
const begunRow = rowOfValues({
  has_begun: computed('boolean', sql`exists (select from channel_bill b where b.channel = c.channel)`),
})

/** Days that have ended, on which money moved through the channel, and that have no bill yet. */
async function missingDays(
  { kit }: JobDeps,
  channel: PaymentChannelName,
): Promise<{ hasBegun: boolean; missing: string[] }> {
  const today = businessDayOf(kit.clock.now())
  const days = Array.from({ length: daysBack }, (_, index) => addDays(today, index - daysBack))
  const starts = days.map((day) => new Date(businessDayStart(day)).toISOString())
  const within = (at: RawBuilder<unknown>) => sql`${at} >= d.start and ${at} < d.start + interval '1 day'`
  const rows = await kit.db.systemRead((k) =>
    missingRow.select`
      from unnest(${days}::date[], ${starts}::timestamptz[]) d (day, start)
      where not exists (select from channel_bill b where b.channel = ${channel} and b.day = d.day)
        and exists (${selectMovements({ channel: sql`${channel}`, within })})
      order by d.day`.compile(k),
  )
  const [begun] = await kit.db.systemRead((k) =>
    begunRow.select`from (select ${channel}::text as channel) c`.compile(k),
  )
  return { hasBegun: begun?.has_begun ?? false, missing: rows.map(({ day }) => day) }
}

const clearedRow = rowOf('channel_difference', 'd', ['channel', 'day'])

/** A call-back that came after the bill: both sides say the same now, and nobody has to decide. */
async function clearBooked({ kit }: JobDeps): Promise<void> {
  await kit.db.system(async (tx) => {
    const { rows } = await clearedRow.returning`
      update channel_difference d
      set state = 'cleared', own_status = o.state, own_at = o.at, own_cents = o.cents, delta_cents = 0, held_cents = 0
      from (
        select false as is_refund, p.id, p.state, p.paid_at as at, p.cents from payment p where p.state = 'paid'
        union all select true, r.id, r.state, r.done_at, r.cents from payment_refund r where r.state = 'done'
        union all select false, -n.id, n.state, n.paid_at, n.cents from charge_note n where n.state = 'paid'
      ) o
      where d.state in ('parked', 'open') and d.kind = 'status' and d.bill_status = 'success'
        and o.is_refund = d.is_refund and o.id = d.subject_id and o.cents = d.bill_cents`.execute(tx)
    const days = new Map(rows.map((row) => [`${row.channel} ${row.day}`, row]))
    for (const { channel, day } of days.values()) {
      const known = paymentChannels.find((name) => name === channel)
      if (known !== undefined) await countDays(tx, { channel: known, day })
    }
  })
}

const unpaidRow = rowOf('channel_difference', 'd', [
  'id',
  'channel',
  'order_number',
  'refund_number',
  'delta_cents',
  'bill_cents',
]).codes({ channel: paymentChannels })

/** Refunds of differences that no bill has told of yet. */
async function requestRefundsAgain(deps: JobDeps): Promise<void> {
  const rows = await deps.kit.db.systemRead((k) =>
    unpaidRow.select`
      from channel_difference d where d.refund_number is not null and d.refunded_on is null
      order by d.id limit ${refundsAtOnce}`.compile(k),
  )
  for (const row of rows) await askForRefund(deps, row)
}
