import Modal from 'antd/es/modal'
import { useState, type ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { phonePattern } from '@saddle/contract/constants.ts'
import {
  supportTicketEndpoints,
  ticketKindLabels,
  ticketKinds,
  ticketPhotosMax,
  ticketTextMax,
  type TicketKind,
} from '@saddle/contract/support/tickets.ts'
import { t } from '#kit/i18n/index.ts'
import { isTryOver } from '#kit/idempotency.ts'
import { notify } from '#kit/notify.ts'
import { PhotoPicker } from '#kit/photos/PhotoPicker.tsx'
import type { PickedPhoto } from '#kit/photos/shrink.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpointMutation } from '#kit/query.ts'
import { useOnceKey } from '../parts/useOnceKey.ts'
import { staleAfterStep } from './useTickets.ts'
import '#kit/list/filter.css'
import '../parts/rider.css'

/** A ticket for somebody who telephoned or wrote: who, about which vehicle, what is wrong. */
export default function OpenDialog({ onClose }: { onClose: () => void }): ReactNode {
  const [kind, setKind] = useState<TicketKind>('other')
  const [phone, setPhone] = useState('')
  const [vehicle, setVehicle] = useState('')
  const [text, setText] = useState('')
  const [photos, setPhotos] = useState<readonly PickedPhoto[]>([])
  const key = useOnceKey()
  const navigate = useNavigate()
  const send = useEndpointMutation(supportTicketEndpoints.openTicket, {
    invalidates: staleAfterStep,
    onSuccess: ({ data }) => {
      notify.success({
        text: t('已登记工单 {{number}}', { number: data.number }),
        action: { label: t('查看'), run: () => void navigate(`/user-worksheet-detail?ticket=${data.id}`) },
      })
      onClose()
    },
  })
  const isPhoneGood = phone === '' || phonePattern.test(phone)
  const isReady = text.trim() !== '' && isPhoneGood && (phone !== '' || vehicle.trim() !== '')
  const submit = () => {
    if (!isReady || send.isPending) return
    const input = {
      kind,
      text: text.trim(),
      ...(phone !== '' && { phone }),
      ...(vehicle.trim() !== '' && { vehicleNumber: vehicle.trim() }),
      photos: photos.map(({ base64 }) => base64),
    }
    send.mutate({ input, idempotencyKey: key.get() }, { onSettled: (_, failure) => isTryOver(failure) && key.renew() })
  }
  return (
    <Modal open width={560} title={t('登记用户工单')} footer={null} onCancel={onClose}>
      <form
        className="rider-form"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <fieldset className="rider-choices">
          <legend>{t('类型')}</legend>
          {ticketKinds.map((one) => (
            <label key={one}>
              <input type="radio" name="kind" checked={one === kind} onChange={() => setKind(one)} />
              {t(ticketKindLabels[one])}
            </label>
          ))}
        </fieldset>
        <label>
          {t('骑行者手机号')}
          <input
            className="filter-keyword"
            inputMode="numeric"
            autoComplete="off"
            maxLength={11}
            value={phone}
            aria-invalid={!isPhoneGood}
            onChange={(event) => setPhone(event.target.value.trim())}
          />
        </label>
        <label>
          {t('车辆编号（手机号与车辆至少填一项）')}
          <input
            className="filter-keyword"
            maxLength={20}
            value={vehicle}
            onChange={(event) => setVehicle(event.target.value)}
          />
        </label>
        <label>
          {t('问题描述')}
          <textarea
            className="filter-keyword tickets-words"
            rows={4}
            maxLength={ticketTextMax}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </label>
        <PhotoPicker value={photos} onChange={setPhotos} max={ticketPhotosMax} />
        {kind === 'fault' && vehicle.trim() !== '' && <p>{t('登记后会为这辆车生成一条维修任务。')}</p>}
        <div className="rider-foot">
          <Button onClick={onClose}>{t('取消')}</Button>
          <Button type="submit" look="primary" busy={send.isPending} disabled={!isReady}>
            {t('登记工单')}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
