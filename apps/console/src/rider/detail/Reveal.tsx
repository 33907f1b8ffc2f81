import Modal from 'antd/es/modal'
import { useEffect, useState, type ReactNode } from 'react'
import { riderPeopleEndpoints, type RiderDetail } from '@saddle/contract/rider/riders.ts'
import { timelineEndpoints } from '@saddle/contract/rider/timeline.ts'
import { minuteMs } from '@saddle/contract/time.ts'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { reason } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { Permit } from '#kit/ui/Permit.tsx'
import '../parts/rider.css'

const shownMs = minuteMs
type Shown = { readonly title: string; readonly text: string }

/** Whole numbers for those who may see them: for a reason that is kept, and on the screen for a minute. */
export function Reveal({ detail }: { readonly detail: RiderDetail }): ReactNode {
  const [asking, setAsking] = useState<'phone' | 'certificate' | null>(null)
  const [shown, setShown] = useState<Shown | null>(null)
  const title = asking === 'phone' ? t('查看完整手机号') : t('查看完整证件号')
  const show = (text: string) => setShown({ title, text })
  const shared = { riderId: detail.rider.id, title, onClose: () => setAsking(null), onShow: show }
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
      {asking === 'phone' && <AskPhone {...shared} />}
      {asking === 'certificate' && <AskCertificate {...shared} />}
      {shown !== null && <Whole {...shown} onClose={() => setShown(null)} />}
    </>
  )
}

interface Props {
  readonly riderId: number
  readonly title: string
  readonly onClose: () => void
  /** Bypasses the query cache: the number must not outlive the dialog. */
  readonly onShow: (text: string) => void
}

const form = ({ riderId, title, onClose }: Props) => ({
  title,
  widthPx: 440,
  about: riderId,
  fields: { reason: reason({ label: t('查看原因') }) },
  input: (values: { readonly reason: string }) => ({ riderId, ...values }),
  submit: t('查看'),
  stale: [riderPeopleEndpoints.riderDetail, timelineEndpoints.riderTimeline],
  children: <p>{t('每次查看都会连同原因记入操作日志。')}</p>,
  onClose,
})

const AskPhone = (props: Props) => (
  <FormDialog
    {...form(props)}
    call={riderPeopleEndpoints.revealPhone}
    onDone={({ data }) => props.onShow(data.phone)}
  />
)

const AskCertificate = (props: Props) => (
  <FormDialog
    {...form(props)}
    call={riderPeopleEndpoints.revealCertificate}
    onDone={({ data: { name, certNumber } }) => props.onShow(`${name ?? ''} ${certNumber}`.trim())}
  />
)

function Whole({ title, text, onClose }: Shown & { readonly onClose: () => void }) {
  useEffect(() => {
    const timer = setTimeout(onClose, shownMs)
    return () => clearTimeout(timer)
  }, [onClose])
  return (
    <Modal open width={440} title={title} footer={null} onCancel={onClose} destroyOnHidden>
      <output className="rider-whole">{text}</output>
      <p className="rider-note">{t('一分钟后自动关闭。')}</p>
    </Modal>
  )
}
