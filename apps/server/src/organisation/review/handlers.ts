import type { OutputOf } from '@saddle/contract/endpoint.ts'
import { AppError } from '@saddle/contract/errors.ts'
import {
  areaSourceLabels,
  grantSourceLabels,
  reviewExportRows,
  type reviewEndpoints,
} from '@saddle/contract/organisation/review.ts'
import { isPermission } from '@saddle/contract/permissions.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import { businessTime, csvLine, csvPart, type CsvOrigin } from '#kit/csv.ts'
import { randomUuid } from '#kit/random.ts'
import type { PeopleParts } from '#organisation/people/parts.ts'
import { actOf, peopleOf } from '#organisation/people/reach.ts'
import { findPerson } from '#organisation/people/store.ts'
import { blockedBy, grantsOf } from './rules.ts'
import { countHolders, findHolders, findReachedAreas, type Holder } from './store.ts'

type PersonReview = OutputOf<typeof reviewEndpoints.reviewPerson>['data']

/** Access review: from a person to all that they may do and where, and from a code to everybody who has it. */
export function createReviewHandlers(parts: PeopleParts): Handlers<typeof reviewEndpoints> {
  const { kit, identity } = parts
  const { maskedPhone } = identity.operators
  return {
    reviewPerson: async ({ operatorId }, call) => ({
      suc: true,
      data: await reviewPerson(parts, call, operatorId),
    }),

    reviewPermission: async ({ code, page, pageSize }, call) => {
      assertKnown(code)
      const reach = peopleOf(call, 'both')
      const offset = (page - 1) * pageSize
      const [rows, count] = await Promise.all([
        findHolders(kit.db, { reach, code, limit: pageSize, offset }),
        countHolders(kit.db, reach, code),
      ])
      const list = rows.map(({ phoneSealed, ...row }) => Object.assign(row, { phone: maskedPhone(phoneSealed) }))
      return { suc: true, data: { list, count } }
    },

    exportReview: async (input, call) => {
      const exportId = input.exportId ?? randomUuid(kit.random)
      if ('operatorId' in input) return { suc: true, data: await exportPerson(parts, call, exportId, input.operatorId) }
      assertKnown(input.code)
      return { suc: true, data: await exportHolders(parts, call, { ...input, exportId }) }
    },
  }
}

function assertKnown(code: string): void {
  if (!isPermission(code) || code === 'all') throw new AppError('bad_request', { values: { detail: '未知的权限码' } })
}

async function reviewPerson(parts: PeopleParts, call: SessionCall, operatorId: number): Promise<PersonReview> {
  const { db } = parts.kit
  const reach = peopleOf(call, 'both')
  const { scope } = reach
  const person = await findPerson(db, { reach, operatorId, callerId: call.caller.operatorId })
  if (person === null) throw new AppError('not_found')
  const [areas, account] = await Promise.all([
    findReachedAreas(db, { scope, person }),
    parts.finance.accountStatus({ ...scope, agentIds: [person.agentId] }, person.agentId),
  ])
  const { name, company } = person
  const blocked = blockedBy(person)
  return { operatorId, name, company, blocked, permissions: grantsOf(person, account), areas }
}

type Part = OutputOf<typeof reviewEndpoints.exportReview>['data']

async function exportPerson(
  parts: PeopleParts,
  call: SessionCall,
  exportId: string,
  operatorId: number,
): Promise<Part> {
  const review = await reviewPerson(parts, call, operatorId)
  await noteExport(parts, call, exportId, { operatorId })
  const permissions = review.permissions.map(({ code, title, source, roleName, withheld }) =>
    csvLine([
      review.name,
      '权限',
      title,
      code,
      roleName ?? grantSourceLabels[source],
      review.blocked ?? withheld ?? '',
    ]),
  )
  const areas = review.areas.map(({ id, name, company, source }) =>
    csvLine([review.name, '服务区', `${company} ${name}`, String(id), areaSourceLabels[source], review.blocked ?? '']),
  )
  const titles = ['姓名', '类型', '名称', '编号', '来源', '未生效的原因']
  const lines = [...permissions, ...areas]
  return {
    exportId,
    fileName: fileName(parts, exportId),
    text: csvPart({ origin: originOf(call, exportId), titles, isFirst: true, lines }),
    rows: lines.length,
    nextCursor: null,
  }
}

async function exportHolders(
  parts: PeopleParts,
  call: SessionCall,
  given: { readonly code: string; readonly cursor?: string | undefined; readonly exportId: string },
): Promise<Part> {
  const { code, cursor, exportId } = given
  const afterId = Number(cursor ?? 0)
  const rows = await findHolders(parts.kit.db, {
    reach: peopleOf(call, 'both'),
    code,
    afterId,
    limit: reviewExportRows + 1,
  })
  if (afterId === 0) await noteExport(parts, call, exportId, { code })
  const shown = rows.slice(0, reviewExportRows)
  const titles = ['权限码', '姓名', '手机号', '公司', '角色', '服务区', '当前有效']
  const lineOf = (row: Holder): string =>
    csvLine([
      code,
      row.name,
      parts.identity.operators.maskedPhone(row.phoneSealed),
      row.company,
      row.roleName,
      row.allAreas ? '全部' : `${row.areaCount} 个`,
      row.active ? '是' : '否',
    ])
  const last = rows.length > shown.length ? shown.at(-1) : undefined
  return {
    exportId,
    fileName: fileName(parts, exportId),
    text: csvPart({ origin: originOf(call, exportId), titles, isFirst: afterId === 0, lines: shown.map(lineOf) }),
    rows: shown.length,
    nextCursor: last === undefined ? null : String(last.operatorId),
  }
}

const originOf = (call: SessionCall, exportId: string): CsvOrigin => ({ exportId, operatorName: call.caller.name })

const fileName = ({ kit }: PeopleParts, exportId: string): string =>
  `access-${businessTime(kit.clock.now()).slice(0, 10)}-${exportId.slice(0, 8)}.csv`

/** What leaves the house is written down, with the caller's own company: an export spans several. */
async function noteExport(
  { kit, audit }: PeopleParts,
  call: SessionCall,
  exportId: string,
  after: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { agentId, operatorId } = call.caller
  await kit.db.withScope({ agentIds: [agentId], areaIds: [], operatorId }, (tx) =>
    audit.write(tx, {
      ...actOf(call),
      agentId,
      action: 'access.export',
      subjectKind: 'export',
      subjectId: exportId,
      after,
    }),
  )
}
