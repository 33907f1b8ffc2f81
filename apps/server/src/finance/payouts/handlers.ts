import { AppError } from '@saddle/contract/errors.ts'
import {
  payoutLineFields,
  payoutLineList,
  type MoneyPlace,
  type PayoutLineFilter,
  type PlacedMoney,
  type payoutEndpoints,
} from '@saddle/contract/finance/payouts.ts'
import type { WithdrawalState } from '@saddle/contract/finance/withdrawals.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import { serveList } from '#kit/list/serveList.ts'
import type { MoneyDeps } from '../deps.ts'
import { selectForeignAreas } from '../depositSettings/store.ts'
import { lineOf, selectLinesOfOrder } from '../splitBills/lines.ts'
import { selectWithdrawal } from '../withdrawals/store.ts'
import { centsOf, follow, within, type Followed, type Piece } from './rules.ts'
import { piecesOf } from './sources.ts'
import {
  eventOf,
  payoutRows,
  presentLine,
  selectEvents,
  selectParts,
  selectStates,
  type PartRow,
  type PayoutParams,
} from './store.ts'

type Deps = Pick<MoneyDeps, 'kit' | 'audit'>

/** From a withdrawal down to its rides, and from a ride up to where its money is. */
export function createPayoutHandlers(deps: Deps): Handlers<typeof payoutEndpoints> {
  const { kit } = deps

  /** A company's book is for who was granted all of its areas, whatever is selected now. */
  const hasAllAreas = async ({ grant }: SessionCall, agentId: number): Promise<boolean> => {
    const [foreign] = await kit.db.systemRead((k) => selectForeignAreas(grant, agentId).compile(k))
    return foreign?.count === 0
  }

  const prepare = async ({ withdrawalId, day }: PayoutLineFilter, call: SessionCall): Promise<PayoutParams> => {
    const { scope } = call
    const [row] = await kit.db.read(scope, (k) => selectWithdrawal({ id: withdrawalId, scope }).compile(k))
    if (row === undefined) throw new AppError('not_found')
    const agentId = row.agent_id
    if (!(await hasAllAreas(call, agentId))) throw new AppError('foreign_scope')
    const events = await kit.db.read(scope, (k) => selectEvents(agentId).compile(k))
    const pieces = piecesOf(events, withdrawalId).filter(
      (piece) => piece.day !== null && (day === undefined || piece.day === day),
    )
    return { agentId, pieces }
  }

  const lines = serveList(deps, payoutLineList, {
    name: 'payout-lines',
    rows: payoutRows,
    // All areas of the company are read, whatever is selected: a stretch of a day is one of all its rides.
    scope: ({ grant }) => grant,
    prepare,
    present: presentLine,
    file: { action: 'withdrawal.lines_export', fields: payoutLineFields },
  })

  return {
    listPayoutLines: lines.page,
    sumPayoutLines: lines.sums,
    exportPayoutLines: lines.file,

    moneyOfRide: async ({ orderId }, call) => {
      const { scope, grant } = call
      const rows = await kit.db.read(scope, (k) => selectLinesOfOrder(scope, orderId).compile(k))
      const agentId = rows[0]?.agent_id
      if (agentId === undefined) return { suc: true, data: { lines: [], days: [] } }
      const [parts, isWhole] = await Promise.all([
        kit.db.read(grant, (k) => selectParts({ agentId, orderId }).compile(k)),
        hasAllAreas(call, agentId),
      ])
      const events = isWhole ? await kit.db.read(grant, (k) => selectEvents(agentId).compile(k)) : []
      const followed = follow(events.map(eventOf))
      const ids = [...followed.taken.keys()].flatMap((reference) => withdrawalIdOf(reference) ?? [])
      const states = isWhole ? await kit.db.read(grant, (k) => selectStates({ agentId, ids }).compile(k)) : []
      const stateOf = new Map(states.map(({ id, state }) => [id, state]))
      return {
        suc: true,
        data: {
          lines: rows.map(lineOf),
          days: parts.map((part) => ({
            day: part.day,
            isClosed: part.is_closed,
            ownerCents: part.owner_cents,
            places: isWhole ? placesOf(part, followed, stateOf) : null,
          })),
        },
      }
    },
  }
}

function withdrawalIdOf(reference: string): number | null {
  const [, id] = /^withdrawal:(\d+)$/.exec(reference) ?? []
  return id === undefined ? null : Number(id)
}

/** What has taken money, by the reference of its entry. */
function placeOf(reference: string): MoneyPlace {
  if (withdrawalIdOf(reference) !== null) return 'withdrawal'
  if (reference.startsWith('charge-note:')) return 'service'
  return reference.startsWith('objection:') ? 'disputed' : 'other'
}

/** Where the cents of a company's part of a day are; they sum to the part. */
function placesOf(part: PartRow, followed: Followed, stateOf: ReadonlyMap<number, WithdrawalState>): PlacedMoney[] {
  const plain = { withdrawalId: null, withdrawalState: null, reference: '' }
  const { day, owner_cents: ownerCents, lo, hi } = part
  if (!part.is_closed) return [{ ...plain, place: 'open_day', cents: ownerCents }]
  if (lo === null || hi === null) return [{ ...plain, place: 'deducted', cents: ownerCents }]
  const stretch = { day, from: Math.max(0, lo), to: hi }
  const inside = (pieces: readonly Piece[]): number => centsOf(within(pieces, stretch))
  const taken = [...followed.taken].map(([reference, pieces]): PlacedMoney => {
    const withdrawalId = withdrawalIdOf(reference)
    const place = placeOf(reference)
    const withdrawalState = withdrawalId === null ? null : (stateOf.get(withdrawalId) ?? null)
    return { place, cents: inside(pieces), withdrawalId, withdrawalState, reference }
  })
  return [
    { ...plain, place: 'deducted' as const, cents: Math.min(0, hi) - Math.min(0, lo) },
    { ...plain, place: 'repaid' as const, cents: inside(followed.repaid) },
    { ...plain, place: 'reserved' as const, cents: inside(followed.reserved) },
    { ...plain, place: 'available' as const, cents: inside(followed.available) },
    ...taken,
    {
      ...plain,
      place: 'in_transit' as const,
      cents: Math.max(0, stretch.to - Math.max(stretch.from, part.settled_cents)),
    },
  ].filter(({ cents }) => cents !== 0)
}
