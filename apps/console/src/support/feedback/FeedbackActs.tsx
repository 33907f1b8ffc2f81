import Select from 'antd/es/select'
import { useState, type ReactNode } from 'react'
import {
  feedbackEndpoints,
  feedbackPriorities,
  feedbackPriorityLabels,
  type FeedbackDetail,
  type FeedbackPriority,
} from '@saddle/contract/support/feedback.ts'
import { useAction } from '#kit/action/useAction.ts'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { longText } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { staleFeedback } from './list.ts'
import '#kit/list/filter.css'

type Ending = 'resolve' | 'close' | 'reopen'

/** Who works on a ticket, how urgent it is, and its state. */
export function FeedbackActs({ detail }: { readonly detail: FeedbackDetail }): ReactNode {
  const { ticket, acts } = detail
  const [ending, setEnding] = useState<Ending | null>(null)
  const start = useAction(feedbackEndpoints.changeFeedback, { stale: staleFeedback, done: () => t('已开始处理') })
  const labels = endingLabels()
  const endings = (['resolve', 'reopen', 'close'] as const).filter((one) => acts.includes(one))
  return (
    <div className="tickets-acts">
      {acts.includes('prioritise') && <Priority detail={detail} />}
      {acts.includes('assign') && <Assign detail={detail} />}
      {acts.includes('start') && ticket.state === 'open' && (
        <Button look="primary" busy={start.isBusy} onClick={() => start.send({ id: ticket.id, act: 'start' })}>
          {t('我来处理')}
        </Button>
      )}
      {endings.map((one) => (
        <Button
          key={one}
          look={one === 'resolve' && ticket.state !== 'open' ? 'primary' : 'outline'}
          onClick={() => setEnding(one)}
        >
          {labels[one]}
        </Button>
      ))}
      {ending !== null && <End detail={detail} act={ending} onClose={() => setEnding(null)} />}
    </div>
  )
}

const endingLabels = (): Readonly<Record<Ending, string>> => ({
  resolve: t('标为已解决'),
  close: t('关闭工单'),
  reopen: t('重新打开'),
})

/** Resolves, closes or reopens, with a word about it. */
function End({
  detail: { ticket },
  act,
  onClose,
}: {
  readonly detail: FeedbackDetail
  readonly act: Ending
  readonly onClose: () => void
}) {
  const consequences: Readonly<Record<Ending, string>> = {
    resolve: t('提交人会收到通知并可以评价；七天内没有评价的自动关闭。'),
    close: t('关闭后不再处理；三十天内可以重新打开。'),
    reopen: t('重新打开后按优先级重新计时。'),
  }
  const done: Readonly<Record<Ending, string>> = {
    resolve: t('已标为已解决'),
    close: t('已关闭工单'),
    reopen: t('已重新打开工单'),
  }
  const label = endingLabels()[act]
  const text =
    act === 'close'
      ? longText({ label: t('说明'), rows: 3, isOptional: true })
      : longText({ label: act === 'resolve' ? t('处理结果') : t('还有什么问题'), rows: 3 })
  return (
    <FormDialog
      title={`${label} ${ticket.number}`}
      call={feedbackEndpoints.changeFeedback}
      about={`${ticket.id} ${act}`}
      fields={{ text }}
      input={({ text: words }) => ({ id: ticket.id, act, text: words ?? '' })}
      submit={label}
      stale={staleFeedback}
      done={() => done[act]}
      onClose={onClose}
    >
      <p>{consequences[act]}</p>
    </FormDialog>
  )
}

const nobody = 0

function Assign({ detail: { ticket } }: { readonly detail: FeedbackDetail }) {
  const { data } = useEndpoint(feedbackEndpoints.feedbackWorkers, {}, { quiet: true })
  const people = data?.data.list ?? []
  const { send, isBusy } = useAction(feedbackEndpoints.assignFeedback, {
    stale: staleFeedback,
    done: (_, { assigneeId }) => {
      const name = people.find(({ id }) => id === assigneeId)?.name
      return name === undefined ? t('已退回待处理') : t('已指派给 {{name}}', { name })
    },
    undo: ({ data: { previousId } }) => ({ id: ticket.id, assigneeId: previousId }),
  })
  return (
    <Select<number>
      aria-label={t('指派给…')}
      placeholder={t('指派给…')}
      className="filter-select"
      loading={isBusy}
      disabled={isBusy}
      showSearch={{ optionFilterProp: 'label' }}
      value={ticket.assigneeId}
      options={[
        { value: nobody, label: t('退回待处理') },
        ...people.map(({ id, name, unfinished }) => ({
          value: id,
          label: t('{{name}}（手上 {{count}} 张）', { name, count: unfinished }),
        })),
      ]}
      onChange={(id) => send({ id: ticket.id, assigneeId: id === nobody ? null : id })}
    />
  )
}

function Priority({ detail: { ticket } }: { readonly detail: FeedbackDetail }) {
  const { send, isBusy } = useAction(feedbackEndpoints.prioritiseFeedback, {
    stale: staleFeedback,
    done: (_, { priority }) => t('优先级已改为{{name}}', { name: t(feedbackPriorityLabels[priority]) }),
    undo: ({ data: { previous } }) => ({ id: ticket.id, priority: previous }),
  })
  return (
    <Select<FeedbackPriority>
      aria-label={t('优先级')}
      className="filter-select"
      loading={isBusy}
      disabled={isBusy}
      value={ticket.priority}
      options={feedbackPriorities.map((value) => ({ value, label: t(feedbackPriorityLabels[value]) }))}
      onChange={(priority) => send({ id: ticket.id, priority })}
    />
  )
}
