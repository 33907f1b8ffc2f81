import Modal from 'antd/es/modal'
import { useState, type ReactNode } from 'react'
import { phoneLength, phonePattern } from '@saddle/contract/constants.ts'
import { banEndpoints, banReasonMax } from '@saddle/contract/rider/bans.ts'
import { riderPeopleEndpoints } from '@saddle/contract/rider/riders.ts'
import { timelineEndpoints } from '@saddle/contract/rider/timeline.ts'
import { dayMs } from '@saddle/contract/time.ts'
import { serverNow } from '#kit/clock.ts'
import { dayOf, endOfDay } from '#kit/day.ts'
import { t } from '#kit/i18n/index.ts'
import { isTryOver, newIdempotencyKey } from '#kit/idempotency.ts'
import { notify } from '#kit/notify.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpointMutation } from '#kit/query.ts'
import { useOnceKey } from '../parts/useOnceKey.ts'
import '#kit/list/filter.css'
import '../parts/rider.css'

interface Props {
  /** Absent: by phone number. */
  readonly riderIds?: readonly number[]
  readonly onClose: () => void
  readonly onDone?: () => void
}

const terms = [7, 30, 90] as const
/** Days from today; 0: for ever; -1: until a day that is chosen. */
type Term = (typeof terms)[number] | 0 | -1
const stale = [
  banEndpoints.listBans,
  riderPeopleEndpoints.searchRiders,
  riderPeopleEndpoints.riderDetail,
  timelineEndpoints.riderTimeline,
]

/** Puts riders on the blacklist: why, and until when. It can be taken back from the message that follows. */
export default function BanDialog({ riderIds, onClose, onDone }: Props): ReactNode {
  const [phone, setPhone] = useState('')
  const [reason, setReason] = useState('')
  const [term, setTerm] = useState<Term>(30)
  const [day, setDay] = useState(dayOf(serverNow() + 30 * dayMs))
  const key = useOnceKey()
  const undo = useEndpointMutation(banEndpoints.liftBans, {
    invalidates: stale,
    onSuccess: ({ data }) => notify.success({ text: t('已移出 {{count}} 位用户', { count: data.lifted.length }) }),
  })
  const send = useEndpointMutation(banEndpoints.banRiders, {
    invalidates: stale,
    onSuccess: ({ data: { banned } }) => {
      if (banned.length === 0) notify.info({ text: t('所选用户已在黑名单中') })
      else {
        const back = () =>
          undo.mutate({ input: { riderIds: banned, reason: t('撤销') }, idempotencyKey: newIdempotencyKey() })
        notify.success({
          text: t('已把 {{count}} 位用户加入黑名单', { count: banned.length }),
          action: { label: t('撤销'), run: back },
        })
      }
      onDone?.()
      onClose()
    },
  })
  const until = term === 0 ? undefined : term === -1 ? endOfDay(day) : serverNow() + term * dayMs
  const isTermGood = term === 0 || (until !== undefined && until > serverNow())
  const isReady = reason.trim() !== '' && isTermGood && (riderIds !== undefined || phonePattern.test(phone))
  const submit = () => {
    if (!isReady || send.isPending) return
    const whom = riderIds === undefined ? { phone } : { riderIds: [...riderIds] }
    const input = { ...whom, reason: reason.trim(), ...(until !== undefined && { until }) }
    send.mutate({ input, idempotencyKey: key.get() }, { onSettled: (_, failure) => isTryOver(failure) && key.renew() })
  }
  const count = riderIds?.length ?? 1
  return (
    <Modal open width={520} title={t('加入黑名单')} footer={null} onCancel={onClose}>
      <form
        className="rider-form"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <p>{t('加入后立即不能预约和开锁，正在进行的骑行可以正常还车。')}</p>
        {riderIds === undefined && (
          <label>
            {t('手机号')}
            <input
              className="filter-keyword"
              inputMode="numeric"
              autoComplete="off"
              maxLength={phoneLength}
              value={phone}
              onChange={(event) => setPhone(event.target.value.trim())}
            />
          </label>
        )}
        <label>
          {t('原因（留档备查）')}
          <input
            className="filter-keyword"
            value={reason}
            maxLength={banReasonMax}
            onChange={(event) => setReason(event.target.value)}
          />
        </label>
        <fieldset className="rider-choices">
          <legend>{t('期限')}</legend>
          {terms.map((days) => (
            <TermChoice
              key={days}
              term={days}
              now={term}
              label={t('{{count}} 天', { count: days })}
              onChange={setTerm}
            />
          ))}
          <TermChoice term={-1} now={term} label={t('到某日')} onChange={setTerm} />
          <TermChoice term={0} now={term} label={t('永久')} onChange={setTerm} />
          {term === -1 && (
            <input
              type="date"
              className="filter-keyword"
              aria-label={t('到期日期')}
              min={dayOf(serverNow())}
              value={day}
              onChange={(event) => setDay(event.target.value)}
            />
          )}
        </fieldset>
        <div className="rider-foot">
          <Button onClick={onClose}>{t('取消')}</Button>
          <Button type="submit" look="primary" busy={send.isPending} disabled={!isReady}>
            {riderIds === undefined ? t('加入黑名单') : t('把 {{count}} 位用户加入黑名单', { count })}
          </Button>
        </div>
      </form>
    </Modal>
  )
}

interface TermProps {
  readonly term: Term
  readonly now: Term
  readonly label: string
  readonly onChange: (term: Term) => void
}

function TermChoice({ term, now, label, onChange }: TermProps) {
  return (
    <label>
      <input type="radio" name="term" checked={term === now} onChange={() => onChange(term)} />
      {label}
    </label>
  )
}
