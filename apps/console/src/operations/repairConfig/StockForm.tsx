import Modal from 'antd/es/modal'
import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { repairConfigEndpoints, type RepairPart } from '@saddle/contract/operations/repairConfig.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Loading } from '#kit/ui/states.tsx'
import { useSend } from '../parts/useSend.ts'

/** What came in and went out of a part's stock, and another booking of it. */
export default function StockForm({
  part,
  onClose,
}: {
  readonly part: RepairPart
  readonly onClose: () => void
}): ReactNode {
  const { id, name, unit } = part
  const [pieces, setPieces] = useState('')
  const [note, setNote] = useState('')
  const { data } = useEndpoint(repairConfigEndpoints.repairPartMovements, { id, pageSize: 50 })
  const count = Number(pieces)
  const isReady = /^[+-]?\d{1,6}$/.test(pieces.trim()) && count !== 0
  const { send, isPending } = useSend(repairConfigEndpoints.moveRepairStock, {
    invalidates: [repairConfigEndpoints.repairConfig, repairConfigEndpoints.repairPartMovements],
    onSuccess: (answer) => {
      const stock = `${answer.data.stock} ${unit}`
      notify.success({ text: t('“{{name}}”现有库存 {{stock}}', { name, stock }) })
      setPieces('')
      setNote('')
    },
  })
  return (
    <Modal open width={520} footer={null} title={t('“{{name}}”的库存', { name })} onCancel={onClose}>
      <form
        className="work-form"
        onSubmit={(event) => {
          event.preventDefault()
          if (isReady) send({ id, pieces: count, note: note.trim() })
        }}
      >
        <div className="work-pair">
          <label>
            {t('数量（入库为正，报损为负）')}
            <input className="filter-keyword" value={pieces} onChange={(event) => setPieces(event.target.value)} />
          </label>
          <label>
            {t('说明（选填）')}
            <input
              className="filter-keyword"
              value={note}
              maxLength={200}
              onChange={(event) => setNote(event.target.value)}
            />
          </label>
        </div>
        <div className="work-foot">
          <Button type="submit" look="primary" busy={isPending} disabled={!isReady}>
            {t('登记 {{count}} {{unit}}', { count: isReady ? count : 0, unit })}
          </Button>
        </div>
      </form>
      {data === undefined ? (
        <Loading />
      ) : (
        <ol className="work-steps">
          {data.data.list.map((move) => (
            <li key={move.id}>
              {move.pieces > 0 ? `+${move.pieces}` : move.pieces} {unit} · {move.operatorName}
              {move.taskId !== null && (
                <>
                  {' · '}
                  <Link to={`/data/operation-tasks?task=${move.taskId}`}>{t('维修任务')}</Link>
                </>
              )}
              <small>
                <time>{dateTime(move.at)}</time>
                {move.note === '' ? '' : ` · ${move.note}`}
              </small>
            </li>
          ))}
        </ol>
      )}
    </Modal>
  )
}
