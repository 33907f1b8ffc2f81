import Modal from 'antd/es/modal'
import { useState, type ReactNode } from 'react'
import { centsOfYuan, yuanText } from '@saddle/contract/money.ts'
import { fixReasonNameMax, repairConfigEndpoints, type RepairPart } from '@saddle/contract/operations/repairConfig.ts'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useSend } from '../parts/useSend.ts'

interface Props {
  readonly agentId: number
  readonly part: RepairPart | null
  readonly onClose: () => void
}

/** A part's name, unit and price; its stock is booked by itself. */
export default function PartForm({ agentId, part, onClose }: Props): ReactNode {
  const [name, setName] = useState(part?.name ?? '')
  const [unit, setUnit] = useState(part?.unit ?? '')
  const [price, setPrice] = useState(part === null ? '' : yuanText(part.priceCents))
  const [low, setLow] = useState(String(part?.stockLow ?? 0))
  const priceCents = centsOfYuan(price)
  const isReady = name.trim() !== '' && unit.trim() !== '' && priceCents !== null && /^\d{1,6}$/.test(low)
  const { send, isPending } = useSend(repairConfigEndpoints.saveRepairPart, {
    invalidates: [repairConfigEndpoints.repairConfig],
    onSuccess: () => {
      notify.success({ text: t('已保存配件“{{name}}”', { name: name.trim() }) })
      onClose()
    },
  })
  const field = (label: string, value: string, onChange: (text: string) => void, max: number) => (
    <label>
      {label}
      <input
        className="filter-keyword"
        value={value}
        maxLength={max}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  )
  return (
    <Modal open width={420} footer={null} title={part === null ? t('新增配件') : t('修改配件')} onCancel={onClose}>
      <form
        className="work-form"
        onSubmit={(event) => {
          event.preventDefault()
          const own = part === null ? { agentId } : { id: part.id, version: part.version }
          if (isReady) send({ ...own, name: name.trim(), unit: unit.trim(), priceCents, stockLow: Number(low) })
        }}
      >
        {field(t('名称'), name, setName, fixReasonNameMax)}
        <div className="work-pair">
          {field(t('单位'), unit, setUnit, 8)}
          {field(t('单价（元）'), price, setPrice, 10)}
          {field(t('库存下限'), low, setLow, 6)}
        </div>
        <div className="work-foot">
          <Button onClick={onClose}>{t('取消')}</Button>
          <Button type="submit" look="primary" busy={isPending} disabled={!isReady}>
            {t('保存“{{name}}”', { name: name.trim() })}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
