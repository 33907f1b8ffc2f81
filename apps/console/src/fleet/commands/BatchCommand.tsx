import { useEffect, useState, type ReactNode } from 'react'
import {
  commandBatchMax,
  commandEndpoints,
  commandKindLabels,
  commandKinds,
  commandOutlookLabels,
  commandOutlooks,
  type CommandPreview,
} from '@saddle/contract/fleet/commands.ts'
import { choice } from '#kit/form/choiceFields.tsx'
import type { Field } from '#kit/form/field.ts'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { text } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { BatchProgress, type SentBatch } from './BatchProgress.tsx'
import { effectOf } from './effect.ts'
import './batch.css'

interface Props {
  readonly vehicleIds: readonly number[]
  readonly onClose: () => void
}

/** `set_parameters` needs more than a name; it is given to one vehicle at a time. */
const batchKinds = commandKinds.filter((kind) => kind !== 'set_parameters')
type BatchKind = (typeof batchKinds)[number]

/** Commands that leave many vehicles open to anybody or out of reach: their number is typed before they are given. */
const graveKinds: ReadonlySet<BatchKind> = new Set(['unlock', 'open_battery', 'power_off'])
const manyVehicles = 10

/** One command to many vehicles: a preview for each vehicle first, then the progress. */
export default function BatchCommand({ vehicleIds, onClose }: Props): ReactNode {
  const ids = vehicleIds.slice(0, commandBatchMax)
  const [kind, setKind] = useState<BatchKind>('ring')
  const [isOpen, setOpen] = useState(true)
  const [sent, setSent] = useState<SentBatch | null>(null)
  const preview = useEndpoint(
    commandEndpoints.previewCommands,
    { vehicleIds: ids, kind },
    { enabled: sent === null, staleMs: 0 },
  )
  const list = preview.data?.data.list
  const able = list?.filter((one) => one.outlook !== 'refused').length ?? 0
  const [typed, setTyped] = useState('')
  const isGrave = graveKinds.has(kind) && able >= manyVehicles
  const isOver = !isOpen && sent === null
  useEffect(() => {
    if (isOver) onClose()
  })
  if (isOver) return null
  if (sent !== null) {
    const numbers = new Map(list?.map((one) => [one.vehicleId, one.number]))
    return (
      <BatchProgress key={sent.batchId} kind={kind} sent={sent} numbers={numbers} onAgain={setSent} onClose={onClose} />
    )
  }
  const shown = (
    <>
      <p className="batch-effect">{effectOf(kind)}</p>
      <PreviewList list={list} error={preview.error} onRetry={() => void preview.refetch()} />
      {isGrave && (
        <label className="batch-typed">
          {t('输入车辆数 {{count}} 以确认', { count: able })}
          <input
            className="form-input"
            inputMode="numeric"
            autoComplete="off"
            value={typed}
            onChange={({ target }) => setTyped(target.value)}
          />
        </label>
      )}
    </>
  )
  const isTyped = !isGrave || typed.trim() === String(able)
  return (
    <FormDialog
      title={t('批量指令：{{count}} 辆车', { count: ids.length })}
      widthPx={640}
      call={commandEndpoints.commandVehicles}
      about={`${ids.length} ${ids[0]}`}
      fields={{
        kind: kindField(setKind, shown),
        reason: text({ label: t('原因（写入操作日志）') }),
      }}
      input={(values) => ({ vehicleIds: ids, ...values })}
      blocked={
        list === undefined
          ? t('正在逐辆检查')
          : able === 0
            ? t('没有可以下发的车辆')
            : isTyped
              ? null
              : t('输入车辆数 {{count}} 以确认', { count: able })
      }
      submit={
        list === undefined
          ? t(commandKindLabels[kind])
          : t('{{kind}} {{count}} 辆车', { kind: t(commandKindLabels[kind]), count: able })
      }
      onDone={({ data }) => setSent(data)}
      onClose={() => setOpen(false)}
    >
      {vehicleIds.length > commandBatchMax && (
        <p role="alert">{t('一次最多 {{count}} 辆，其余的请分批进行', { count: commandBatchMax })}</p>
      )}
    </FormDialog>
  )
}

/** The command, with its preview below. */
function kindField(onKind: (kind: BatchKind) => void, preview: ReactNode): Field<BatchKind, BatchKind> {
  const radios = choice<BatchKind>({
    label: t('指令'),
    initial: 'ring',
    options: batchKinds.map((value) => ({ value, label: t(commandKindLabels[value]) })),
  })
  return {
    ...radios,
    control: (props) => (
      <>
        {radios.control({
          ...props,
          onChange: (kind) => {
            props.onChange(kind)
            onKind(kind)
          },
        })}
        <div className="batch">{preview}</div>
      </>
    ),
  }
}

interface PreviewProps {
  readonly list: readonly CommandPreview[] | undefined
  readonly error: unknown
  readonly onRetry: () => void
}

function PreviewList({ list, error, onRetry }: PreviewProps) {
  if (list === undefined) return error === null ? <Loading /> : <ErrorState error={error} onRetry={onRetry} />
  return (
    <>
      <ul className="batch-sums">
        {commandOutlooks.map((outlook) => (
          <li key={outlook} data-outlook={outlook}>
            {t(commandOutlookLabels[outlook])} <b>{list.filter((one) => one.outlook === outlook).length}</b>
          </li>
        ))}
      </ul>
      <ul className="batch-list" aria-label={t('逐辆预览')}>
        {list.map((one) => (
          <li key={one.vehicleId} data-outlook={one.outlook}>
            <span>{one.number}</span>
            <span>{one.refusal === null ? t(commandOutlookLabels[one.outlook]) : t(one.refusal)}</span>
          </li>
        ))}
      </ul>
    </>
  )
}
