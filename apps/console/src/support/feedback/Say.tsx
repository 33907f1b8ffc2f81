import { useState, type ReactNode } from 'react'
import { feedbackEndpoints, type FeedbackAct, type FeedbackDetail } from '@saddle/contract/support/feedback.ts'
import { Form } from '#kit/form/Form.tsx'
import { photos } from '#kit/form/otherFields.tsx'
import { longText } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'
import { staleFeedback } from './list.ts'

const sayings = ['reply', 'ask', 'note', 'say'] as const satisfies readonly FeedbackAct[]
type Saying = (typeof sayings)[number]

/** A word in the conversation: of the company, of the platform, or a note for the platform alone. */
export function Say({ detail: { ticket, acts } }: { readonly detail: FeedbackDetail }): ReactNode {
  const ways = sayings.filter((one) => acts.includes(one))
  const [first] = ways
  const [chosen, setWay] = useState<Saying | null>(null)
  /** After an answer the form begins anew. */
  const [round, setRound] = useState(0)
  if (first === undefined) return null
  const way = chosen !== null && ways.includes(chosen) ? chosen : first
  const labels: Readonly<Record<Saying, string>> = {
    reply: t('答复提交人'),
    ask: t('请提交人补充'),
    note: t('内部备注'),
    say: t('补充说明'),
  }
  const hints: Readonly<Record<Saying, string>> = {
    reply: t('提交人会看到这段话'),
    ask: t('提交人补充之前计时暂停'),
    note: t('只有平台人员能看到'),
    say: t('平台人员会看到这段话'),
  }
  const done: Readonly<Record<Saying, string>> = {
    reply: t('已答复提交人'),
    ask: t('已请提交人补充，计时暂停'),
    note: t('已记下备注'),
    say: t('已补充'),
  }
  return (
    <section className="page-card tickets-answer">
      <Form
        key={round}
        call={feedbackEndpoints.sayInFeedback}
        about={ticket.id}
        fields={{
          text: longText({ label: labels[way], note: hints[way], rows: 3 }),
          photos: photos({ label: t('图片'), note: t('选填') }),
        }}
        input={(values) => ({ id: ticket.id, act: way, ...values })}
        submit={labels[way]}
        stale={staleFeedback}
        done={() => done[way]}
        onDone={() => setRound(round + 1)}
      >
        {ways.length > 1 && (
          <fieldset className="form-choices tickets-ways">
            <legend className="visually-hidden">{t('答复方式')}</legend>
            {ways.map((one) => (
              <label key={one} className="form-choice">
                <input type="radio" name="way" checked={one === way} onChange={() => setWay(one)} />
                <span>{labels[one]}</span>
              </label>
            ))}
          </fieldset>
        )}
      </Form>
    </section>
  )
}
