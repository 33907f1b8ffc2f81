import type pg from 'pg'
import { isFinalCommandState } from '@saddle/contract/fleet/commands.ts'
import { orderReference } from '#finance/public.ts'
import type { LastOfRide } from './rides.ts'
import { isOver } from './rides.ts'
import type { Told } from './staff.ts'
import type { Speaker } from './vehicles.ts'
import { withOwner } from './world.ts'

/** What was acknowledged, and what of it is not there once. */
export interface Count {
  readonly lost: number
  readonly doubled: number
  /** How many of each kind were acknowledged. */
  readonly acknowledged: Readonly<Record<string, number>>
}

interface Acknowledged {
  readonly url: string
  readonly speakers: readonly Speaker[]
  readonly tickets: readonly string[]
  readonly staff: Told
  readonly rides: ReadonlyMap<number, LastOfRide>
  readonly say: (sentence: string) => void
}

/** Adds up, and says of which kind something is missing or there more than once. */
function createTally(say: (sentence: string) => void) {
  const sums = { lost: 0, doubled: 0 }
  const acknowledged: Record<string, number> = {}
  return {
    sums,
    acknowledged,
    note(
      kind: string,
      told: number,
      wrong: { readonly lost?: readonly unknown[]; readonly doubled?: readonly unknown[] },
    ) {
      acknowledged[kind] = (acknowledged[kind] ?? 0) + told
      for (const how of ['lost', 'doubled'] as const) {
        const found = wrong[how] ?? []
        sums[how] += found.length
        if (found.length > 0) say(`${kind}: ${found.length} ${how}, the first ${String(found[0])}`)
      }
    },
  }
}
type Tally = ReturnType<typeof createTally>

export async function count(options: Acknowledged): Promise<Count> {
  const tally = createTally(options.say)
  await withOwner(options.url, async (owner) => {
    for (const speaker of options.speakers) await countReports(owner, tally, speaker)
    await countTickets(owner, tally, options.tickets)
    await countCommands(owner, tally, options.staff)
    await countTasks(owner, tally, options.staff)
    await countRides(owner, tally, options)
    await countNotices(owner, tally)
  })
  return { ...tally.sums, acknowledged: tally.acknowledged }
}

/** How often each text stands in the rows, and the ids of those rows. */
async function idsByText(owner: pg.Client, statement: string): Promise<ReadonlyMap<string, readonly number[]>> {
  const { rows } = await owner.query<{ text: string; ids: string[] }>(statement)
  return new Map(rows.map(({ text, ids }) => [text, ids.map(Number)]))
}

async function countReports(owner: pg.Client, tally: Tally, speaker: Speaker): Promise<void> {
  const { vehicleId, acknowledged, protocol, knownBy } = speaker
  const mark = knownBy === 'time' ? '(extract(epoch from occurred_at) * 1000)::bigint' : 'odometer_m::bigint'
  const { rows } = await owner.query<{ mark: string; times: number }>(
    `select ${mark}::text as mark, count(*)::integer as times
     from device_report where vehicle_id = $1 and kind <> 'Q0' and ${mark} is not null group by 1`,
    [vehicleId],
  )
  const stored = new Map(rows.map(({ mark: one, times }) => [Number(one), times]))
  const where = (one: number): string => `${knownBy} ${one} of ${protocol} vehicle ${vehicleId}`
  tally.note('reports', acknowledged.length, {
    lost: acknowledged.filter((one) => !stored.has(one)).map(where),
    doubled: acknowledged.filter((one) => (stored.get(one) ?? 0) > 1).map(where),
  })
}

async function countTickets(owner: pg.Client, tally: Tally, tickets: readonly string[]): Promise<void> {
  const stored = await idsByText(
    owner,
    `select request_id as text, array_agg(id) as ids from ticket where request_id like 'fault-run-%' group by 1`,
  )
  tally.note('tickets', tickets.length, {
    lost: tickets.filter((id) => !stored.has(id)),
    doubled: [...stored].filter(([, ids]) => ids.length > 1).map(([id]) => id),
  })
}

async function countCommands(owner: pg.Client, tally: Tally, { commands, states }: Told): Promise<void> {
  const stored = await idsByText(
    owner,
    `select reason as text, array_agg(id) as ids from vehicle_command where reason like 'fault-command-%' group by 1`,
  )
  tally.note('commands', commands.size, {
    lost: [...commands].filter(([reason, id]) => stored.get(reason)?.includes(id) !== true).map(([reason]) => reason),
    doubled: [...stored].filter(([, ids]) => ids.length > 1).map(([reason]) => reason),
  })
  const { rows } = await owner.query<{ id: string; state: string }>('select id, state from vehicle_command')
  const now = new Map(rows.map(({ id, state }) => [Number(id), state]))
  const changed = [...states].filter(([id, state]) => isFinalCommandState(state) && now.get(id) !== state)
  tally.note('command states', states.size, {
    lost: changed.map(([id, state]) => `${id} was ${state} and is ${now.get(id)}`),
  })
}

async function countTasks(owner: pg.Client, tally: Tally, { tasks, cancelled }: Told): Promise<void> {
  const stored = await idsByText(
    owner,
    `select note as text, array_agg(id) as ids from task where note like 'fault-task-%' group by 1`,
  )
  const { rows } = await owner.query<{ id: string }>(`select id from task where state = 'cancelled'`)
  const ended = new Set(rows.map(({ id }) => Number(id)))
  tally.note('tasks', tasks.size, {
    lost: [...tasks].filter(([note, id]) => stored.get(note)?.includes(id) !== true).map(([note]) => note),
    doubled: [...stored].filter(([, ids]) => ids.length > 1).map(([note]) => note),
  })
  tally.note('cancelled tasks', cancelled.size, { lost: [...cancelled].filter((id) => !ended.has(id)) })
}

/** Rides with the postings of their charges, and the charges by hand with theirs. */
async function countRides(owner: pg.Client, tally: Tally, { rides, staff }: Acknowledged): Promise<void> {
  const { rows } = await owner.query<{ id: string; rider: string; state: string; cents: string | null }>(
    'select id, rider_id as rider, state, charged_cents as cents from ride_order',
  )
  const orders = new Map(rows.map((row) => [Number(row.id), row]))
  const taken = new Map<string, number>()
  for (const { rider, state } of rows) if (state !== 'cancelled') taken.set(rider, (taken.get(rider) ?? 0) + 1)
  const differs = ([id, told]: readonly [number, LastOfRide]): boolean => {
    const order = orders.get(id)
    if (order === undefined) return true
    if (!isOver(told.state)) return false
    // One that is due may be paid afterwards.
    const isSame = order.state === told.state || (told.state === 'due' && order.state === 'paid')
    return !isSame || Number(order.cents) !== Number(told.chargedCents)
  }
  tally.note('rides', rides.size, {
    lost: [...rides].filter(differs).map(([id, { state }]) => `${id} was ${state} and is ${orders.get(id)?.state}`),
    doubled: [...taken].filter(([, times]) => times > 1).map(([rider]) => `rider ${rider}`),
  })
  const entries = await idsByText(
    owner,
    `select reference as text, array_agg(number) as ids from ledger_entry
     where kind in ('ride_charge', 'platform_charge') group by 1`,
  )
  const paid = rows.filter(({ state, cents }) => state === 'paid' && Number(cents) > 0)
  const charges = await idsByText(
    owner,
    `select reason as text, array_agg(id) as ids from platform_charge where reason like 'fault-charge-%' group by 1`,
  )
  const wanted = [
    ...paid.map(({ id }) => orderReference(Number(id))),
    ...[...staff.charges.values()].map((id) => `platform-charge:${id}`),
  ]
  tally.note('postings', wanted.length, {
    lost: wanted.filter((reference) => !entries.has(reference)),
    doubled: [
      ...[...entries].filter(([, numbers]) => numbers.length > 1).map(([reference]) => reference),
      ...[...charges].filter(([, ids]) => ids.length > 1).map(([reason]) => reason),
    ],
  })
}

/** Each ticket is told of once, and each person once by each way. */
async function countNotices(owner: pg.Client, tally: Tally): Promise<void> {
  const told = await idsByText(
    owner,
    `select t.id::text as text, array_remove(array_agg(d.id), null) as ids from ticket t
     left join notice n on n.event = 'ticket_opened' and n.subject = 'ticket ' || t.id
     left join notice_delivery d on d.notice_id = n.id and d.channel = 'in_app'
     group by 1`,
  )
  const { rows } = await owner.query<{ id: string }>(
    `select notice_id as id from notice_delivery group by notice_id, operator_id, channel having count(*) > 1`,
  )
  tally.note('notices', told.size, {
    lost: [...told].filter(([, ids]) => ids.length === 0).map(([id]) => `of ticket ${id}`),
    doubled: rows.map(({ id }) => id),
  })
}
