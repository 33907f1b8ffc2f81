import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { repairConfigEndpoints, type RepairPart } from '@saddle/contract/operations/repairConfig.ts'
import { call } from '#kit/api/client.ts'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { number, text } from '#kit/form/textFields.tsx'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { ExportButton } from '#kit/list/ExportButton.tsx'
import { useEndpoint } from '#kit/query.ts'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { staleConfig } from './stale.ts'

interface Props {
  readonly part: RepairPart
  readonly onClose: () => void
}

/** What came in and went out of a part's stock, and another booking of it. */
export default function StockDialog({ part, onClose }: Props): ReactNode {
  const { id, name, unit } = part
  return (
    <FormDialog
      title={t('“{{name}}”的库存', { name })}
      call={repairConfigEndpoints.moveRepairStock}
      about={id}
      fields={{
        pieces: number({ label: t('数量'), unit, hint: t('入库为正，报损为负') }),
        note: text({ label: t('说明'), isOptional: true }),
      }}
      input={({ pieces, note = '' }) => ({ id, pieces, note })}
      submit={({ pieces = 0 }) => t('登记 {{count}} {{unit}}', { count: pieces, unit })}
      stale={staleConfig}
      done={({ data }) => t('“{{name}}”现有库存 {{stock}}', { name, stock: `${data.stock} ${unit}` })}
      onClose={onClose}
    >
      <Movements part={part} />
    </FormDialog>
  )
}

function Movements({ part: { id, unit } }: { readonly part: RepairPart }) {
  const { data, error, refetch } = useEndpoint(repairConfigEndpoints.repairPartMovements, { id, pageSize: 50 })
  if (data === undefined) {
    return error === null ? <Loading /> : <ErrorState error={error} onRetry={() => void refetch()} />
  }
  if (data.data.list.length === 0) return <p className="work-note">{t('还没有库存记录')}</p>
  return (
    <>
      <ExportButton
        onExport={async ({ language }) =>
          (await call(repairConfigEndpoints.exportPartMovements, { id, language }, { quiet: true })).data
        }
      />
      <ol className="work-steps repair-moves">
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
    </>
  )
}
