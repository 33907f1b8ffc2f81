import Select from 'antd/es/select'
import type { ReactNode } from 'react'
import { supportTicketEndpoints } from '@saddle/contract/support/tickets.ts'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'
import '#kit/list/filter.css'

export interface TicketPerson {
  readonly id: number
  readonly name: string
}

interface Props {
  readonly label: string
  readonly value?: number | null
  readonly busy?: boolean
  readonly onChoose: (person: TicketPerson | null) => void
}

const nobody = 0

/** Who looks after it: whoever has least in hand stands first. */
export function AssignTo({ label, value = null, busy = false, onChoose }: Props): ReactNode {
  const { data } = useEndpoint(supportTicketEndpoints.ticketWorkers, {}, { quiet: true })
  const people = data?.data.list ?? []
  return (
    <Select<number>
      aria-label={label}
      placeholder={label}
      className="filter-select"
      loading={busy}
      disabled={busy}
      showSearch={{ optionFilterProp: 'label' }}
      value={value}
      options={[
        { value: nobody, label: t('退回待处理') },
        ...people.map(({ id, name, unfinished }) => ({
          value: id,
          label: t('{{name}}（手上 {{count}} 张）', { name, count: unfinished }),
        })),
      ]}
      onChange={(id) => onChoose(id === nobody ? null : (people.find((person) => person.id === id) ?? null))}
    />
  )
}
