import { supportTicketEndpoints, type Ticket } from '@saddle/contract/support/tickets.ts'
import { timelineEndpoints } from '@saddle/contract/rider/timeline.ts'
import { t } from '#kit/i18n/index.ts'
import { newIdempotencyKey } from '#kit/idempotency.ts'
import { notify } from '#kit/notify.ts'
import { useEndpointMutation } from '#kit/query.ts'

/** Readings that a step of a ticket makes stale. */
export const staleAfterStep = [
  supportTicketEndpoints.listTickets,
  supportTicketEndpoints.ticketCounters,
  supportTicketEndpoints.ticket,
  supportTicketEndpoints.ticketWorkers,
  timelineEndpoints.riderTimeline,
]

type Some = readonly Pick<Ticket, 'id' | 'assigneeId'>[]
type Refused = readonly { readonly id: number; readonly promot: string }[]

function tellRefused(refused: Refused): void {
  const [first] = refused
  if (first === undefined) return
  notify.warning({ text: t('{{count}} 张工单未能处理：{{why}}', { count: refused.length, why: first.promot }) })
}

/** Steps that are taken with many tickets at once; each can be taken back from the message that follows. */
export function useTickets() {
  const invalidates = staleAfterStep
  const assigning = useEndpointMutation(supportTicketEndpoints.assignTickets, { invalidates })
  const turning = useEndpointMutation(supportTicketEndpoints.transitionTickets, { invalidates })
  const giveBack = (tickets: Some, done: readonly number[]) => {
    for (const { id, assigneeId } of tickets) {
      if (!done.includes(id)) continue
      assigning.mutate({ input: { ids: [id], assigneeId }, idempotencyKey: newIdempotencyKey() })
    }
  }
  const turn = (act: 'start' | 'close' | 'reopen', ids: readonly number[], note = '', onDone?: () => void): void => {
    turning.mutate(
      { input: { ids: [...ids], act, note }, idempotencyKey: newIdempotencyKey() },
      {
        onSuccess: ({ data: { done, refused } }) => {
          tellRefused(refused)
          onDone?.()
          if (done.length === 0) return
          const words = {
            start: t('已开始处理 {{count}} 张工单', { count: done.length }),
            close: t('已关闭 {{count}} 张工单', { count: done.length }),
            reopen: t('已重新打开 {{count}} 张工单', { count: done.length }),
          }
          const undo = { label: t('撤销'), run: () => turn('reopen', done, t('撤销关闭')) }
          notify.success({ text: words[act], ...(act === 'close' && { action: undo }) })
        },
      },
    )
  }
  return {
    busy: assigning.isPending || turning.isPending,
    turn,
    assign: (tickets: Some, person: { readonly id: number; readonly name: string } | null, onDone?: () => void): void =>
      assigning.mutate(
        {
          input: { ids: tickets.map(({ id }) => id), assigneeId: person?.id ?? null },
          idempotencyKey: newIdempotencyKey(),
        },
        {
          onSuccess: ({ data: { done, refused } }) => {
            tellRefused(refused)
            onDone?.()
            if (done.length === 0) return
            const count = done.length
            const text =
              person === null
                ? t('已把 {{count}} 张工单退回待处理', { count })
                : t('已把 {{count}} 张工单指派给 {{name}}', { count, name: person.name })
            notify.success({ text, action: { label: t('撤销'), run: () => giveBack(tickets, done) } })
          },
        },
      ),
  }
}
