import Modal from 'antd/es/modal'
import type { ReactNode } from 'react'
import type { DeviceAccess } from '@saddle/contract/fleet/registration.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { AccessFacts } from './AccessCard.tsx'

interface Props {
  readonly access: DeviceAccess
  readonly onClose: () => void
}

/** The settings for a device that was just registered. */
export default function Configuration({ access, onClose }: Props): ReactNode {
  const done = (
    <Button look="primary" onClick={onClose}>
      {t('完成')}
    </Button>
  )
  return (
    <Modal open width={560} footer={done} title={t('{{number}} 已登记', { number: access.number })} onCancel={onClose}>
      <div className="da-configuration">
        <p className="da-note">{t('请按下面的内容配置设备。之后可在车辆详情的“设备接入”中再次查看。')}</p>
        <AccessFacts access={access} />
      </div>
    </Modal>
  )
}
