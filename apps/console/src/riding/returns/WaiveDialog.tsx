import Modal from 'antd/es/modal'
import type { ReactNode } from 'react'
import { money } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import type { Chosen } from './question.ts'

interface Props {
  readonly chosen: readonly Chosen[]
  readonly busy: boolean
  readonly onWaive: () => void
  readonly onClose: () => void
}

/** What waiving means in money, before it is given back: that cannot be undone. */
export default function WaiveDialog({ chosen, busy, onWaive, onClose }: Props): ReactNode {
  const count = chosen.length
  const yuan = money(chosen.reduce((sum, { feeCents }) => sum + feeCents, 0))
  return (
    <Modal open width={460} title={t('免除 {{count}} 单的还车费用', { count })} footer={null} onCancel={onClose}>
      <p>{t('共 {{yuan}} 元：已支付的原路退还，待支付的减免。退还后不能撤销。', { yuan })}</p>
      <div className="refund-foot">
        <Button onClick={onClose}>{t('取消')}</Button>
        <Button look="primary" busy={busy} onClick={onWaive}>
          {t('免除 {{count}} 单，共 {{yuan}} 元', { count, yuan })}
        </Button>
      </div>
    </Modal>
  )
}
