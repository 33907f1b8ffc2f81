import { useState, type ReactNode } from 'react'
import {
  supportTicketEndpoints,
  ticketFindingLabels,
  ticketFindings,
  ticketPhotosMax,
  ticketTextMax,
  type Ticket,
  type TicketFinding,
} from '@saddle/contract/support/tickets.ts'
import type { ApiError } from '#kit/api/client.ts'
import { t } from '#kit/i18n/index.ts'
import { isTryOver } from '#kit/idempotency.ts'
import { notify } from '#kit/notify.ts'
import { PhotoPicker } from '#kit/photos/PhotoPicker.tsx'
import type { PickedPhoto } from '#kit/photos/shrink.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpointMutation } from '#kit/query.ts'
import { useOnceKey } from '../parts/useOnceKey.ts'
import { staleAfterStep } from './useTickets.ts'

type How = 'reply' | 'note' | 'find'

/** A word to the rider, a note among colleagues, or the finding that answers the ticket. */
export function Answer({ ticket }: { ticket: Ticket }): ReactNode {
  const [how, setHow] = useState<How>('reply')
  const [text, setText] = useState('')
  const [finding, setFinding] = useState<TicketFinding | null>(ticket.finding)
  const [photos, setPhotos] = useState<readonly PickedPhoto[]>([])
  const key = useOnceKey()
  const done = (words: string) => () => {
    notify.success({ text: words })
    setText('')
    setPhotos([])
    setHow('reply')
  }
  const replying = useEndpointMutation(supportTicketEndpoints.replyToTicket, {
    invalidates: staleAfterStep,
    onSuccess: done(how === 'note' ? t('已记下备注') : t('已答复骑行者')),
  })
  const concluding = useEndpointMutation(supportTicketEndpoints.resolveTicket, {
    invalidates: staleAfterStep,
    onSuccess: done(t('已记录结论并答复骑行者')),
  })
  const busy = replying.isPending || concluding.isPending
  const isReady = text.trim() !== '' && (how !== 'find' || finding !== null)
  const settled = {
    onSettled: (_: unknown, failure: ApiError | null) => isTryOver(failure) && key.renew(),
  }
  const submit = () => {
    if (!isReady || busy) return
    const { id } = ticket
    if (how === 'find' && finding !== null) {
      concluding.mutate({ input: { id, finding, reply: text.trim() }, idempotencyKey: key.get() }, settled)
      return
    }
    const input = { id, text: text.trim(), internal: how === 'note', photos: photos.map(({ base64 }) => base64) }
    replying.mutate({ input, idempotencyKey: key.get() }, settled)
  }
  const labels: Readonly<Record<How, string>> = { reply: t('答复骑行者'), note: t('内部备注'), find: t('处理结论') }
  return (
    <section className="page-card">
      <form
        className="rider-form tickets-answer"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <fieldset className="rider-choices">
          <legend className="visually-hidden">{t('答复方式')}</legend>
          {(['reply', 'note', 'find'] as const).map((one) => (
            <label key={one}>
              <input type="radio" name="how" checked={one === how} onChange={() => setHow(one)} />
              {labels[one]}
            </label>
          ))}
        </fieldset>
        {how === 'find' && (
          <fieldset className="rider-choices">
            <legend className="visually-hidden">{t('结论')}</legend>
            {ticketFindings.map((one) => (
              <label key={one}>
                <input type="radio" name="finding" checked={one === finding} onChange={() => setFinding(one)} />
                {t(ticketFindingLabels[one])}
              </label>
            ))}
          </fieldset>
        )}
        <textarea
          className="filter-keyword tickets-words"
          rows={3}
          maxLength={ticketTextMax}
          value={text}
          aria-label={labels[how]}
          placeholder={how === 'note' ? t('只有同事能看到') : t('骑行者会看到这段话')}
          onChange={(event) => setText(event.target.value)}
        />
        {how !== 'find' && <PhotoPicker value={photos} onChange={setPhotos} max={ticketPhotosMax} />}
        <div className="rider-foot">
          <Button type="submit" look="primary" busy={busy} disabled={!isReady}>
            {how === 'note' ? t('记下备注') : how === 'find' ? t('答复并记录结论') : t('发送答复')}
          </Button>
        </div>
      </form>
    </section>
  )
}
