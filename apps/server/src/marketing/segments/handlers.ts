import { sql } from 'kysely'
import { AppError } from '@saddle/contract/errors.ts'
import {
  segmentFields,
  segmentList,
  segmentRiderFields,
  segmentRiderList,
  type segmentEndpoints,
} from '@saddle/contract/marketing/segments.ts'
import type { Handlers } from '#kit/call.ts'
import { computed, rowOf, rowOfValues, rowsOf } from '#kit/db/rows.ts'
import { serveList } from '#kit/list/serveList.ts'
import type { CouponDeps } from '../coupons/deps.ts'
import { changeSegment, createSegment, sizeSegment, switchSegment, tagRiders } from './segments.ts'
import {
  presentSegment,
  presentSegmentRider,
  presentVersion,
  readSegment,
  segmentRiderRows,
  segmentRows,
  selectVersions,
  termsOf,
} from './store.ts'

const tagsMax = 200
const tagRow = rowsOf(rowOf('rider_tag', 'g', ['tag']), rowOfValues({ riders: computed('bigint', sql`count(*)`) }))

/** Saved conditions over riders, their size, and the riders that meet them. */
export function createSegmentHandlers(deps: CouponDeps): Handlers<typeof segmentEndpoints> {
  const { kit, riders } = deps
  const segments = serveList(deps, segmentList, {
    name: 'segments',
    rows: segmentRows,
    present: presentSegment,
    file: { action: 'segment.export', fields: segmentFields },
  })
  const members = serveList(deps, segmentRiderList, {
    name: 'segment-riders',
    prepare: async ({ segmentId }, { scope }) => {
      const { agent_id: agentId, terms } = await kit.db.withScope(scope, (tx) =>
        readSegment(tx, { id: segmentId, scope }),
      )
      return { agentId, terms: termsOf(terms), at: kit.clock.now() }
    },
    rows: segmentRiderRows,
    present: ({ phone_sealed, phone_hash, ...row }) => ({
      ...presentSegmentRider({ phone_sealed, phone_hash, ...row }),
      phone: riders.maskedPhone({ phone_sealed, phone_hash }),
    }),
    file: { action: 'segment.export', fields: segmentRiderFields },
  })
  return {
    listSegments: segments.page,
    exportSegments: segments.file,
    createSegment: async (input, call) => ({ suc: true, data: await createSegment(deps, call, input) }),
    changeSegment: async (input, call) => ({ suc: true, data: await changeSegment(deps, call, input) }),
    switchSegment: async (input, call) => ({ suc: true, data: await switchSegment(deps, call, input) }),
    segmentVersions: async ({ id }, { scope }) => {
      const rows = await kit.db.read(scope, (k) => selectVersions({ id, scope }).compile(k))
      if (rows.length === 0) throw new AppError('not_found')
      return { suc: true, data: { list: rows.map(presentVersion) } }
    },
    sizeSegment: async (input, call) => ({ suc: true, data: await sizeSegment(deps, call, input) }),
    listSegmentRiders: members.page,
    exportSegmentRiders: members.file,
    riderTags: async ({ agentId }, { scope }) => {
      if (!scope.agentIds.includes(agentId)) throw new AppError('not_found')
      const list = await kit.db.read(scope, (k) =>
        tagRow.select`
          from rider_tag g where g.agent_id = ${agentId} group by g.tag order by count(*) desc, g.tag
          limit ${tagsMax}`.compile(k),
      )
      return { suc: true, data: { list } }
    },
    tagRiders: async (input, call) => ({ suc: true, data: await tagRiders(deps, call, input) }),
  }
}
