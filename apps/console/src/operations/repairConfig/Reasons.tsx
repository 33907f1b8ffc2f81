import Modal from 'antd/es/modal'
import { useState, type ReactNode } from 'react'
import { fixReasonNameMax, repairConfigEndpoints, type FixReason } from '@saddle/contract/operations/repairConfig.ts'
import { t } from '#kit/i18n/index.ts'
import { DataTable } from '#kit/list/DataTable.tsx'
import { Keyword } from '#kit/list/FilterBar.tsx'
import { notify } from '#kit/notify.ts'
import { Button } from '#kit/plain/Button.tsx'
import { Permit } from '#kit/ui/Permit.tsx'
import { Empty } from '#kit/ui/states.tsx'
import { saveShown } from '../parts/saveShown.ts'
import { useSend } from '../parts/useSend.ts'

interface Props {
  readonly agentId: number
  readonly list: readonly FixReason[]
}

const stale = [repairConfigEndpoints.repairConfig, repairConfigEndpoints.listFixReasons]

/** What a repair may be put down to, in the order in which it is offered. */
export function Reasons({ agentId, list }: Props): ReactNode {
  const [keyword, setKeyword] = useState('')
  const [editing, setEditing] = useState<FixReason | 'new' | null>(null)
  const restore = useSend(repairConfigEndpoints.saveFixReason, { invalidates: stale })
  const remove = useSend(repairConfigEndpoints.removeFixReason, {
    invalidates: stale,
    onSuccess: (_, { input }) => {
      const gone = list.find(({ id }) => id === Number(input.id))
      if (gone === undefined) return
      const { name, forRiders, position } = gone
      notify.success({
        text: t('已删除故障原因“{{name}}”', { name }),
        action: { label: t('撤销'), run: () => restore.send({ agentId, name, forRiders, position }) },
      })
    },
  })
  const shown = list.filter(({ name }) => name.includes(keyword))
  const titles = [t('次序'), t('故障原因'), t('骑行者可选')]
  const cells = ({ position, name, forRiders }: FixReason) => [position, name, forRiders ? t('是') : t('否')]
  return (
    <section className="page-card">
      <div className="work-bar">
        <Keyword label={t('故障原因')} value={keyword} onChange={setKeyword} />
        <Button onClick={() => saveShown({ fileName: 'fix-reasons.csv', titles, rows: shown.map(cells) })}>
          {t('导出')}
        </Button>
        <Permit action="0501">
          <Button look="primary" onClick={() => setEditing('new')}>
            {t('新增故障原因')}
          </Button>
        </Permit>
      </div>
      <DataTable<FixReason>
        label={t('故障原因')}
        columns={[
          { key: 'position', title: t('次序'), numeric: true, render: (row) => row.position },
          { key: 'name', title: t('故障原因'), inHead: true, render: (row) => row.name },
          { key: 'riders', title: t('骑行者可选'), render: (row) => (row.forRiders ? t('是') : t('否')) },
          {
            key: 'acts',
            title: t('操作'),
            render: (row) => (
              <Permit action="0501">
                <Button look="quiet" onClick={() => setEditing(row)}>
                  {t('修改')}
                </Button>
                <Button look="quiet" busy={remove.isPending} onClick={() => remove.send({ id: row.id })}>
                  {t('删除')}
                </Button>
              </Permit>
            ),
          },
        ]}
        rows={shown}
        rowKey={(row) => row.id}
        cardHead={(row) => row.name}
        empty={<Empty title={t('还没有故障原因')} text={t('维修人员完成任务时从这里选择')} />}
      />
      {editing !== null && (
        <ReasonForm
          agentId={agentId}
          reason={editing === 'new' ? null : editing}
          next={Math.max(0, ...list.map(({ position }) => position)) + 10}
          onClose={() => setEditing(null)}
        />
      )}
    </section>
  )
}

interface FormProps {
  readonly agentId: number
  readonly reason: FixReason | null
  readonly next: number
  readonly onClose: () => void
}

function ReasonForm({ agentId, reason, next, onClose }: FormProps) {
  const [name, setName] = useState(reason?.name ?? '')
  const [position, setPosition] = useState(reason?.position ?? next)
  const [forRiders, setForRiders] = useState(reason?.forRiders ?? true)
  const { send, isPending } = useSend(repairConfigEndpoints.saveFixReason, {
    invalidates: stale,
    onSuccess: () => {
      notify.success({ text: t('已保存故障原因“{{name}}”', { name: name.trim() }) })
      onClose()
    },
  })
  const isReady = name.trim() !== '' && Number.isInteger(position) && position >= 0
  return (
    <Modal
      open
      width={420}
      footer={null}
      title={reason === null ? t('新增故障原因') : t('修改故障原因')}
      onCancel={onClose}
    >
      <form
        className="work-form"
        onSubmit={(event) => {
          event.preventDefault()
          const own = reason === null ? { agentId } : { id: reason.id, version: reason.version }
          if (isReady) send({ ...own, name: name.trim(), position, forRiders })
        }}
      >
        <label>
          {t('名称')}
          <input
            className="filter-keyword"
            value={name}
            maxLength={fixReasonNameMax}
            onChange={(event) => setName(event.target.value)}
          />
        </label>
        <label>
          {t('次序（小的在前）')}
          <input
            className="filter-keyword"
            type="number"
            inputMode="numeric"
            value={position}
            onChange={(event) => setPosition(Number(event.target.value))}
          />
        </label>
        <label data-line="true">
          <input type="checkbox" checked={forRiders} onChange={(event) => setForRiders(event.target.checked)} />
          {t('骑行者报修时可选')}
        </label>
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
