import { useState, type ReactElement } from 'react'
import Button from 'antd/es/button'
import Checkbox from 'antd/es/checkbox'
import Input from 'antd/es/input'
import Modal from 'antd/es/modal'
import { layoutPx } from '@saddle/contract/constants.ts'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import './select-modal.css'

/** A row of the modal (specification, section 3). */
interface SelectRow {
  readonly id: number
  readonly title: string
  readonly selected: boolean
}

interface SelectModalProps {
  readonly rows: readonly SelectRow[]
  readonly onConfirm: (chosen: ReadonlySet<number>) => void
  readonly onCancel: () => void
}

/** A search field is shown from this number of rows on. */
const searchFrom = 12

/** Lists things as title(id) and lets the person choose; at least one has to be chosen (section 2). */
export default function SelectModal({ rows, onConfirm, onCancel }: SelectModalProps): ReactElement {
  const [chosen, setChosen] = useState<ReadonlySet<number>>(
    () => new Set(rows.filter((row) => row.selected).map((row) => row.id)),
  )
  const [wanted, setWanted] = useState('')
  const everything = rows.every((row) => chosen.has(row.id))
  const toggle = (id: number): void => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    setChosen(next)
  }
  const confirm = (): void => {
    if (chosen.size === 0) notify.warning({ text: t('请至少选择一项') })
    else onConfirm(chosen)
  }
  const shown = rows.filter((row) => `${row.title}(${row.id})`.toLowerCase().includes(wanted.trim().toLowerCase()))
  return (
    <Modal
      open
      title={t('选择')}
      width={layoutPx.selectModal}
      onCancel={onCancel}
      footer={[
        <span key="count" className="select-modal-count">
          {t('已选 {{chosen}} / {{all}}', { chosen: chosen.size, all: rows.length })}
        </span>,
        <Button key="cancel" onClick={onCancel}>
          {t('取消')}
        </Button>,
        <Button key="all" onClick={() => setChosen(everything ? new Set() : new Set(rows.map((row) => row.id)))}>
          {everything ? t('取消全选') : t('全选')}
        </Button>,
        <Button key="confirm" type="primary" onClick={confirm}>
          {t('确定')}
        </Button>,
      ]}
    >
      {rows.length >= searchFrom && (
        <Input
          type="search"
          allowClear
          placeholder={t('搜索名称或编号')}
          aria-label={t('搜索名称或编号')}
          value={wanted}
          onChange={(event) => setWanted(event.target.value)}
        />
      )}
      <ul className="select-modal-rows">
        {shown.map((row) => (
          <li key={row.id} data-chosen={chosen.has(row.id)}>
            <Checkbox checked={chosen.has(row.id)} onChange={() => toggle(row.id)}>
              {row.title}
              <span className="select-modal-id">({row.id})</span>
            </Checkbox>
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p className="select-modal-none">{t('没有符合的名称或编号')}</p>}
    </Modal>
  )
}
