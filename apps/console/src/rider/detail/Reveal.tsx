import Modal from 'antd/es/modal'
import { useEffect, useState, type ReactNode } from 'react'
import { revealReasonMax, riderPeopleEndpoints, type RiderDetail } from '@saddle/contract/rider/riders.ts'
import { timelineEndpoints } from '@saddle/contract/rider/timeline.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { call, isApiError, wordsOf } from '#kit/api/client.ts'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { Button } from '#kit/plain/Button.tsx'
import { endpointKey, queryClient } from '#kit/query.ts'
import { Permit } from '#kit/ui/Permit.tsx'
import '#kit/list/filter.css'
import '../parts/rider.css'

const shownMs = minuteMs
type Field = 'phone' | 'certificate'

/** Whole numbers for those who may see them: for a reason that is kept, and on the screen for a minute. */
export function Reveal({ detail }: { detail: RiderDetail }): ReactNode {
  const [asking, setAsking] = useState<Field | null>(null)
  return (
    <>
      <Permit action="07010101">
        <Button onClick={() => setAsking('phone')}>{t('查看完整手机号')}</Button>
      </Permit>
      {detail.certNumber !== null && (
        <Permit action="07010102">
          <Button onClick={() => setAsking('certificate')}>{t('查看完整证件号')}</Button>
        </Permit>
      )}
      {asking !== null && <RevealDialog field={asking} riderId={detail.rider.id} onClose={() => setAsking(null)} />}
    </>
  )
}

interface Props {
  readonly field: Field
  readonly riderId: number
  readonly onClose: () => void
}

function RevealDialog({ field, riderId, onClose }: Props) {
  const [reason, setReason] = useState('')
  const [shown, setShown] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)
  useEffect(() => {
    if (shown === null) return
    const timer = setTimeout(onClose, shownMs)
    return () => clearTimeout(timer)
  }, [shown, onClose])
  const submit = async () => {
    if (busy || reason.trim() === '') return
    setBusy(true)
    try {
      // Not through the cache of readings: the number is to be gone with the dialog.
      setShown(await read(field, { riderId, reason: reason.trim() }))
      for (const endpoint of [riderPeopleEndpoints.riderDetail, timelineEndpoints.riderTimeline]) {
        void queryClient.invalidateQueries({ queryKey: endpointKey(endpoint) })
      }
    } catch (error) {
      notify.error({ title: t('查看失败'), text: isApiError(error) ? wordsOf(error) : t('请稍后再试') })
    }
    setBusy(false)
  }
  const title = field === 'phone' ? t('查看完整手机号') : t('查看完整证件号')
  return (
    <Modal open width={440} title={title} footer={null} onCancel={onClose} destroyOnHidden>
      {shown === null ? (
        <form
          className="rider-form"
          onSubmit={(event) => {
            event.preventDefault()
            void submit()
          }}
        >
          <p>{t('每次查看都会连同原因记入操作日志。')}</p>
          <label>
            {t('查看原因')}
            <input
              className="filter-keyword"
              value={reason}
              maxLength={revealReasonMax}
              onChange={(event) => setReason(event.target.value)}
            />
          </label>
          <div className="rider-foot">
            <Button onClick={onClose}>{t('取消')}</Button>
            <Button type="submit" look="primary" busy={busy} disabled={reason.trim() === ''}>
              {t('查看')}
            </Button>
          </div>
        </form>
      ) : (
        <div className="rider-form">
          <output className="rider-whole">{shown}</output>
          <p>{t('一分钟后自动关闭。')}</p>
        </div>
      )}
    </Modal>
  )
}

async function read(field: Field, input: { riderId: number; reason: string }): Promise<string> {
  if (field === 'phone') return (await call(riderPeopleEndpoints.revealPhone, input)).data.phone
  const { name, certNumber } = (await call(riderPeopleEndpoints.revealCertificate, input)).data
  return `${name ?? ''} ${certNumber}`.trim()
}
