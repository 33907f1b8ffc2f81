import {
  riderEventGroups,
  riderEventKinds,
  type RiderEvent,
  type RiderEventGroup,
  type RiderEventKind,
  timelineFileFields,
  timelineLineOf,
  type timelineEndpoints,
} from '@saddle/contract/rider/timeline.ts'
import { AppError } from '@saddle/contract/errors.ts'
import type { Handlers } from '#kit/call.ts'
import type { Scope } from '#kit/db/scope.ts'
import { codeOf } from '#kit/codes.ts'
import { pagedFile } from '#kit/list/pagedFile.ts'
import type { RiderParts } from '../parts/parts.ts'
import { selectRider } from '../riders/store.ts'
import { selectMoneyEvents, type MoneyRow } from './money.ts'
import { selectAccountEvents, selectSafetyEvents, type OwnEventRow } from './store.ts'

/** What another domain tells of a rider: the newest before a time, newest first, of what the scope may see. */
export type RiderEvents = (
  scope: Scope,
  asked: { readonly riderId: number; readonly agentId: number; readonly before: number; readonly limit: number },
) => Promise<readonly RiderEvent[]>

/** The domains that know more of a rider's life; they are not imported, since they build on this one. */
export type RiderEventSources = Partial<Readonly<Record<'ride' | 'ticket', RiderEvents>>>

const kinds = Object.keys(riderEventKinds) as RiderEventKind[]
const groups = Object.keys(riderEventGroups) as RiderEventGroup[]
const farFuture = 8_640_000_000_000_000

/** One line of life out of what all domains know, each read no further than the page needs. */
export function createTimelineHandlers(
  deps: Pick<RiderParts, 'kit' | 'audit'>,
  sources: RiderEventSources,
): Handlers<typeof timelineEndpoints> {
  const read = timelineReader(deps, sources)
  return {
    riderTimeline: async (asked, { scope }) => {
      const { list, next } = await read(scope, asked)
      return { suc: true, data: { list, nextBefore: next } }
    },
    exportRiderTimeline: pagedFile<Asked, number>(deps, {
      name: 'rider-history',
      action: 'rider.life_export',
      fields: timelineFileFields,
      detail: ({ riderId, groups: wanted }) => ({ riderId, ...(wanted !== undefined && { groups: wanted }) }),
      page: async (asked, { scope }, { after, size }) => {
        const { list, next } = await read(scope, { ...asked, before: after ?? undefined, pageSize: size })
        return { rows: list.map(timelineLineOf), next }
      },
    }),
  }
}

interface Asked {
  readonly riderId: number
  readonly groups?: readonly RiderEventGroup[] | undefined
}
type AskedPage = Asked & { readonly before?: number | undefined; readonly pageSize: number }

function timelineReader({ kit }: Pick<RiderParts, 'kit'>, sources: RiderEventSources) {
  return async (scope: Scope, { riderId, groups: wanted = groups, before = farFuture, pageSize }: AskedPage) => {
    const [rider] = await kit.db.read(scope, (k) => selectRider({ riderId, scope }).compile(k))
    if (rider === undefined) throw new AppError('not_found')
    // One more than is shown: whether it goes on.
    const limit = pageSize + 1
    const own = { before: new Date(before), limit }
    const readers: Readonly<Record<RiderEventGroup, RiderEvents>> = {
      ride: sources.ride ?? nothing,
      money: async () => {
        const rows = await kit.db.read(scope, (k) => selectMoneyEvents(rider, own).compile(k))
        return rows.map(moneyOf)
      },
      ticket: sources.ticket ?? nothing,
      account: async () => {
        const rows = await kit.db.read(scope, (k) => selectAccountEvents(rider, own).compile(k))
        return rows.map(eventOf)
      },
      safety: async () => {
        const rows = await kit.db.read(scope, (k) => selectSafetyEvents(rider, own).compile(k))
        return rows.map(eventOf)
      },
    }
    const asked = { riderId, agentId: rider.agent_id, before, limit }
    const parts = await Promise.all(wanted.map((group) => readers[group](scope, asked)))
    const all = parts.flat().toSorted((a, b) => b.at - a.at)
    return cut(all, pageSize)
  }
}

const nothing: RiderEvents = async () => []

/** A page ends between two times: what happened at the same moment stays together, or the rest of it would be lost. */
function cut(all: readonly RiderEvent[], size: number): { list: RiderEvent[]; next: number | null } {
  const last = all[size - 1]
  if (last === undefined || all.length <= size) return { list: [...all], next: null }
  const list = all.filter((event, index) => index < size || event.at === last.at)
  return { list, next: list.length < all.length ? last.at : null }
}

const moneyOf = ({ at, code, text, cents }: MoneyRow): RiderEvent => ({
  at: at.getTime(),
  kind: 'money',
  code,
  text,
  cents,
  by: null,
  aboutId: null,
})

const eventOf = (row: OwnEventRow): RiderEvent => ({
  at: row.at.getTime(),
  kind: codeOf(kinds, row.kind),
  code: row.code,
  text: row.text,
  cents: null,
  by: row.by,
  aboutId: null,
})
