import { useState, type ReactNode } from 'react'
import {
  supportTicketEndpoints,
  ticketFindingLabels,
  ticketFindings,
  type Ticket,
  type TicketFinding,
} from '@saddle/contract/support/tickets.ts'
import { choice } from '#kit/form/choiceFields.tsx'
import { Form } from '#kit/form/Form.tsx'
import { photos } from '#kit/form/otherFields.tsx'
import { longText } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'
import { staleTickets } from './stale.ts'

const ways = ['reply', 'note', 'find'] as const
type Way = (typeof ways)[number]

interface Props {
  readonly ticket: Ticket
  /** After the finding: on to the next one. */
  readonly onAnswered?: () => void
}

/** A message to the rider, an internal note, or the finding that answers the ticket. */
export function Answer({ ticket, onAnswered }: Props): ReactNode {
  const [way, setWay] = useState<Way>('reply')
  /** After an answer the form begins anew. */
  const [round, setRound] = useState(0)
  const labels: Readonly<Record<Way, string>> = { reply: t('答复骑行者'), note: t('内部备注'), find: t('处理结论') }
  const { id } = ticket
  const again = () => {
    setWay('reply')
    setRound(round + 1)
  }
  const text = (at?: string) =>
    longText({
      label: way === 'note' ? t('备注') : t('答复'),
      note: way === 'note' ? t('只有同事能看到') : t('骑行者会看到这段话'),
      rows: 2,
      ...(at !== undefined && { at }),
      presets: way === 'note' ? [] : presets(),
    })
  const shared = { about: id, stale: staleTickets, children: <Ways labels={labels} value={way} onChange={setWay} /> }
  // The same form for both calls: what was typed stays when somebody chooses the other.
  return way === 'find' ? (
    <Form
      key={round}
      {...shared}
      call={supportTicketEndpoints.resolveTicket}
      fields={{
        finding: choice<TicketFinding | ''>({
          label: t('结论'),
          initial: ticket.finding ?? '',
          options: ticketFindings.map((value) => ({ value, label: t(ticketFindingLabels[value]) })),
        }),
        text: text('reply'),
      }}
      adjust={({ finding }) => ({
        finding: { fault: finding === '' ? t('请选择{{label}}', { label: t('结论') }) : null },
      })}
      input={({ finding, text: reply }) => ({ id, finding: finding || 'unverifiable', reply })}
      submit={t('答复并记录结论')}
      done={() => t('已记录结论并答复骑行者')}
      onDone={() => {
        again()
        onAnswered?.()
      }}
    />
  ) : (
    <Form
      key={round}
      {...shared}
      call={supportTicketEndpoints.replyToTicket}
      fields={{ text: text(), photos: photos({ label: t('照片'), note: t('选填') }) }}
      input={(values) => ({ id, ...values, internal: way === 'note' })}
      submit={way === 'note' ? t('记下备注') : t('发送答复')}
      done={(_, { internal }) => (internal === true ? t('已记下备注') : t('已答复骑行者'))}
      onDone={again}
    />
  )
}

const presets = (): readonly string[] => [
  t('您好，已收到，我们正在核实。'),
  t('经核实，多收的费用已退回。'),
  t('车辆已安排检修，感谢反馈。'),
]

interface WaysProps {
  readonly labels: Readonly<Record<Way, string>>
  readonly value: Way
  readonly onChange: (way: Way) => void
}

function Ways({ labels, value, onChange }: WaysProps) {
  return (
    <fieldset className="form-choices tickets-ways">
      <legend className="visually-hidden">{t('答复方式')}</legend>
      {ways.map((one) => (
        <label key={one} className="form-choice">
          <input type="radio" name="way" checked={one === value} onChange={() => onChange(one)} />
          <span>{labels[one]}</span>
        </label>
      ))}
    </fieldset>
  )
}
