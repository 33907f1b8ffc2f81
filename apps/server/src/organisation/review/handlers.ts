import type { OutputOf } from '@saddle/contract/endpoint.ts'
import { AppError } from '@saddle/contract/errors.ts'
import { accessFields, holderFields, holderList, type reviewEndpoints } from '@saddle/contract/organisation/review.ts'
import type { Handlers, SessionCall } from '#kit/call.ts'
import { listFile } from '#kit/list/listFile.ts'
import { serveList } from '#kit/list/serveList.ts'
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

    exportReview: fileOfPerson(parts),
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

/** The file of one person. */
const fileOfPerson = (parts: PeopleParts) =>
  listFile<{ readonly operatorId: number }>(parts, {
    name: 'access',
    action: 'access.export',
    fields: accessFields,
    detail: ({ operatorId }) => ({ operatorId }),
    check: async ({ operatorId }, call) => void (await reviewPerson(parts, call, operatorId)),
    count: async () => null,
    parts: async function* linesOf({ operatorId }, call) {
      const { name, blocked, permissions, areas } = await reviewPerson(parts, call, operatorId)
      yield [
        ...permissions.map(({ title, code, source, roleName, withheld }) => ({
          name,
          kind: 'permission',
          title,
          code,
          source: roleName ?? source,
          withheld: blocked ?? withheld,
        })),
        ...areas.map((area) => ({
          name,
          kind: 'area',
          title: `${area.company} ${area.name}`,
          code: String(area.id),
          source: area.source,
          withheld: blocked,
        })),
      ]
    },
  })
