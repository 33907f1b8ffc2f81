import Modal from 'antd/es/modal'
import { useState, type ReactNode } from 'react'
import { invoiceEndpoints, type Invoice } from '@saddle/contract/finance/invoices.ts'
import { money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { isTryOver } from '#kit/idempotency.ts'
import { notify } from '#kit/notify.ts'
import { PhotoPicker } from '#kit/photos/PhotoPicker.tsx'
import type { PickedPhoto } from '#kit/photos/shrink.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpointMutation } from '#kit/query.ts'
import { useOnceKey } from '../parts/useOnceKey.ts'
import { staleAfterDecision, tellRefused } from './useDecisions.ts'
import '#kit/list/filter.css'
import '../parts/rider.css'
import './invoices.css'

interface Props {
  readonly invoices: readonly Invoice[]
  readonly onClose: () => void
  readonly onDone: () => void
}

const numberPattern = /^\d{8}$|^\d{20}$/
const linkPattern = /^https:\/\/\S{1,390}$/

/** The numbers that the tax office gave, each beside whose invoice it is; with the file where there is one. */
export default function IssueDialog({ invoices, onClose, onDone }: Props): ReactNode {
  const [numbers, setNumbers] = useState<Readonly<Record<number, string>>>({})
  const [link, setLink] = useState('')
  const [photos, setPhotos] = useState<readonly PickedPhoto[]>([])
  const key = useOnceKey()
  const send = useEndpointMutation(invoiceEndpoints.issueInvoices, {
    invalidates: staleAfterDecision,
    onSuccess: ({ data: { done, refused } }) => {
      tellRefused(refused)
      if (done.length > 0) notify.success({ text: t('已登记 {{count}} 张发票', { count: done.length }) })
      onDone()
    },
  })
  const isAlone = invoices.length === 1
  const given = invoices.map(({ id }) => numbers[id]?.trim() ?? '')
  const isLinkGood = link.trim() === '' || linkPattern.test(link.trim())
  const isReady =
    given.every((number) => numberPattern.test(number)) && new Set(given).size === given.length && isLinkGood
  const submit = () => {
    if (!isReady || send.isPending) return
    const [photo] = photos
    const input = {
      invoices: invoices.map(({ id }, index) => ({
        id,
        number: given[index] ?? '',
        ...(isAlone && link.trim() !== '' && { link: link.trim() }),
      })),
      ...(isAlone && photo !== undefined && { file: photo.base64 }),
    }
    send.mutate({ input, idempotencyKey: key.get() }, { onSettled: (_, failure) => isTryOver(failure) && key.renew() })
  }
  return (
    <Modal
      open
      width={620}
      title={t('登记 {{count}} 张发票', { count: invoices.length })}
      footer={null}
      onCancel={onClose}
    >
      <form
        className="rider-form"
        onSubmit={(event) => {
          event.preventDefault()
          submit()
        }}
      >
        <p>{t('发票号码为 8 位或 20 位数字；登记后骑行者可以看到。')}</p>
        <ol className="invoices-numbers">
          {invoices.map(({ id, title, cents }) => (
            <li key={id}>
              <label htmlFor={`invoice-${id}`}>
                {title} · {t('{{yuan}} 元', { yuan: money(cents) })}
              </label>
              <input
                id={`invoice-${id}`}
                className="filter-keyword"
                inputMode="numeric"
                autoComplete="off"
                maxLength={20}
                placeholder={t('发票号码')}
                value={numbers[id] ?? ''}
                onChange={(event) => setNumbers({ ...numbers, [id]: event.target.value.trim() })}
              />
            </li>
          ))}
        </ol>
        {isAlone && (
          <>
            <label>
              {t('下载链接（选填，https）')}
              <input
                className="filter-keyword"
                type="url"
                value={link}
                aria-invalid={!isLinkGood}
                onChange={(event) => setLink(event.target.value)}
              />
            </label>
            <PhotoPicker value={photos} onChange={setPhotos} max={1} label={t('发票图片（选填）')} />
          </>
        )}
        <div className="rider-foot">
          <Button onClick={onClose}>{t('取消')}</Button>
          <Button type="submit" look="primary" busy={send.isPending} disabled={!isReady}>
            {t('登记 {{count}} 张发票', { count: invoices.length })}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
