import type { Endpoint } from '@saddle/contract/endpoint.ts'
import type { NoticeKind } from '@saddle/contract/notices/words.ts'
import { isRoutePermitted } from '@saddle/contract/menu.ts'
import { holdsPermission } from '@saddle/contract/permissions.ts'
import { queues, type Queue } from '@saddle/contract/reports/queues.ts'

const isCallPermitted = ({ permission }: Endpoint, held: ReadonlySet<string>): boolean =>
  typeof permission === 'string' ? permission === 'session' : permission.some((code) => holdsPermission(held, code))

/** The queues that a person may open and wants to be told of. */
export const queuesOf = (held: ReadonlySet<string>, wants: (kind: NoticeKind) => boolean): readonly Queue[] =>
  queues.filter(
    (queue: Queue) =>
      isRoutePermitted(queue.path, held) &&
      isCallPermitted(queue.call, held) &&
      (queue.permission === undefined || held.has(queue.permission)) &&
      (queue.notice === undefined || wants(queue.notice)),
  )

/** The page with exactly these conditions. */
export const queuePath = ({ path, params, filter }: Queue): string =>
  `${path}?${new URLSearchParams({ ...params, filter: JSON.stringify(filter) })}`
