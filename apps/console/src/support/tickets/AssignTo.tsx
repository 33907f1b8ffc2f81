import Select from 'antd/es/select'
import type { ReactNode } from 'react'
import { supportTicketEndpoints, type Ticket } from '@saddle/contract/support/tickets.ts'
import { tellRefused } from '#kit/action/refused.ts'
import { useAction } from '#kit/action/useAction.ts'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'
import { staleTickets } from './stale.ts'
import '#kit/list/filter.css'

interface Props {
  readonly label: string
  readonly tickets: readonly Pick<Ticket, 'id' | 'assigneeId'>[]
  /** Who works on it now is shown: of a single ticket. */
  readonly showsNow?: boolean
  readonly onDone?: () => void
}

const nobody = 0

/** Gives tickets to somebody, the least busy first; the message that follows gives each back to whom it came from. */
export function AssignTo({ label, tickets, showsNow = false, onDone }: Props): ReactNode {
  const { data } = useEndpoint(supportTicketEndpoints.ticketWorkers, {}, { quiet: true })
  const people = data?.data.list ?? []
  const { send, isBusy } = useAction(supportTicketEndpoints.assignTickets, {
    stale: staleTickets,
    done: ({ data: { done } }, { assigneeId }) => {
      const count = done.length
      if (count === 0) return null
      const name = people.find(({ id }) => id === assigneeId)?.name
      return name === undefined
        ? t('已把 {{count}} 张工单退回待处理', { count })
        : t('已把 {{count}} 张工单指派给 {{name}}', { count, name })
    },
    undo: ({ data: { done } }) => beforeOf(tickets.filter(({ id }) => done.includes(id))),
    onDone: ({ data: { refused } }) => {
      tellRefused(refused)
      onDone?.()
    },
  })
  return (
    <Select<number>
      aria-label={label}
      placeholder={label}
      className="filter-select"
      loading={isBusy}
      disabled={isBusy}
      showSearch={{ optionFilterProp: 'label' }}
      value={showsNow ? (tickets[0]?.assigneeId ?? null) : null}
      options={[
        { value: nobody, label: t('退回待处理') },
        ...people.map(({ id, name, unfinished }) => ({
          value: id,
          label: t('{{name}}（手上 {{count}} 张）', { name, count: unfinished }),
        })),
      ]}
      onChange={(id) => send({ ids: tickets.map((ticket) => ticket.id), assigneeId: id === nobody ? null : id })}
    />
  )
}

/** Who had them, as calls that give them back. */
function beforeOf(tickets: Props['tickets']) {
  const idsOf = Map.groupBy(tickets, ({ assigneeId }) => assigneeId)
  return [...idsOf].map(([assigneeId, theirs]) => ({ ids: theirs.map(({ id }) => id), assigneeId }))
}
