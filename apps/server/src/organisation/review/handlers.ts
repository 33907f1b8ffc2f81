import type { OutputOf } from '@saddle/contract/endpoint.ts'
import { exportOriginTitles } from '@saddle/contract/exported.ts'
import { businessDayOf } from '@saddle/contract/time.ts'
import { AppError } from '@saddle/contract/errors.ts'
import {
  areaSourceLabels,
  grantSourceLabels,
  holderFields,
  holderList,
  type reviewEndpoints,
} from '@saddle/contract/organisation/review.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import { csvText } from '#kit/list/listFile.ts'
import { serveList } from '#kit/list/serveList.ts'
import { randomUuid } from '#kit/random.ts'
import type { PeopleParts } from '#organisation/people/parts.ts'
import { peopleOf, reachOf } from '#organisation/people/reach.ts'
import { findPerson } from '#organisation/people/store.ts'
import { blockedBy, grantsOf } from './rules.ts'
import { findReachedAreas, holderRows, presentHolder } from './store.ts'

type PersonReview = OutputOf<typeof reviewEndpoints.reviewPerson>['data']

/** Access review: from a person to all that they may do and where, and from a code to everybody who has it. */
export function createReviewHandlers(parts: PeopleParts): Handlers<typeof reviewEndpoints> {
  const { identity } = parts
  const holders = serveList(parts, holderList, {
    name: 'access',
    rows: holderRows,
    // Which areas somebody reaches does not depend on what the header shows; `prepare` narrows the companies.
    scope: ({ grant }) => grant,
    prepare: (_, call) => ({ agentIds: reachOf(call, 'both') }),
    present: (row) => {
      const { phoneSealed, ...holder } = presentHolder(row)
      return { ...holder, phone: identity.operators.maskedPhone(phoneSealed) }
    },
    file: {
      action: 'access.export',
      fields: { code: '权限码', ...holderFields },
      present: (row, _call, _found, { filter }) => {
        const holder = presentHolder(row)
        const phone = identity.operators.maskedPhone(row.phone_sealed)
        return { code: filter.code ?? '', ...holder, phone, areaCount: holder.allAreas ? '全部' : holder.areaCount }
      },
    },
  })
  return {
    reviewPerson: async ({ operatorId }, call) => ({
      suc: true,
      data: await reviewPerson(parts, call, operatorId),
    }),

    listHolders: holders.page,
    exportHolders: holders.file,

    exportReview: async ({ operatorId }, call) => ({
      suc: true,
      data: await exportPerson(parts, call, operatorId),
    }),
  }
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

type ReviewFile = OutputOf<typeof reviewEndpoints.exportReview>['data']

async function exportPerson(parts: PeopleParts, call: SessionCall, operatorId: number): Promise<ReviewFile> {
  const { kit } = parts
  const exportId = randomUuid(kit.random)
  const review = await reviewPerson(parts, call, operatorId)
  await parts.audit.noteExport(call, { exportId, action: 'access.export', detail: { operatorId } })
  const permissions = review.permissions.map(({ code, title, source, roleName, withheld }) => [
    review.name,
    '权限',
    title,
    code,
    roleName ?? grantSourceLabels[source],
    review.blocked ?? withheld ?? '',
    exportId,
    call.caller.name,
  ])
  const areas = review.areas.map(({ id, name, company, source }) => [
    review.name,
    '服务区',
    `${company} ${name}`,
    String(id),
    areaSourceLabels[source],
    review.blocked ?? '',
    exportId,
    call.caller.name,
  ])
  const titles = ['姓名', '类型', '名称', '编号', '来源', '未生效的原因', ...exportOriginTitles]
  const rows = [...permissions, ...areas]
  return {
    exportId,
    fileName: `access-${businessDayOf(kit.clock.now())}-${exportId.slice(0, 8)}.csv`,
    state: 'done',
    rows: rows.length,
    text: await csvText(
      titles.map((title) => ({ title, format: 'text' as const })),
      rows,
    ),
    base64: null,
  }
}
