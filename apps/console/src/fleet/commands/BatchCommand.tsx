import Modal from 'antd/es/modal'
import { useEffect, useRef, useState, type ReactNode } from 'react'
import {
  commandBatchMax,
  commandEndpoints,
  commandKindLabels,
  commandKinds,
  commandOutlookLabels,
  commandOutlooks,
  commandStateLabels,
  commandStates,
  isFinalCommandState,
  type Command,
  type CommandKind,
  type CommandPreview,
} from '@saddle/contract/fleet/commands.ts'
import { t } from '#kit/i18n/index.ts'
import { liveSocket } from '#kit/live/socket.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint, useEndpointMutation } from '#kit/query.ts'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { isTryOver, newIdempotencyKey } from '#kit/idempotency.ts'
import { mergeCommands } from '../operation-map/steps.ts'
import './batch.css'

interface Props {
  readonly vehicleIds: readonly number[]
  readonly onClose: () => void
}

/** `set_parameters` needs more than a name; it is given to one vehicle at a time. */
const batchKinds = commandKinds.filter((kind) => kind !== 'set_parameters')
type BatchKind = (typeof batchKinds)[number]

/** One command to many vehicles: what it will meet at each of them first, then how far it has come. */
export default function BatchCommand({ vehicleIds, onClose }: Props): ReactNode {
  const ids = vehicleIds.slice(0, commandBatchMax)
  const [kind, setKind] = useState<BatchKind>('ring')
  const [reason, setReason] = useState('')
  const [given, setGiven] = useState<Given | null>(null)
  const key = useRef(newIdempotencyKey())
  const send = useEndpointMutation(commandEndpoints.commandVehicles, {
    onSuccess: ({ data }) => setGiven(data),
    onError: (error) => {
      if (isTryOver(error)) key.current = newIdempotencyKey()
    },
  })
  const preview = useEndpoint(
    commandEndpoints.previewCommands,
    { vehicleIds: [...ids], kind },
    { enabled: given === null, staleMs: 0 },
  )
  const list = preview.data?.data.list
  const able = list?.filter((one) => one.outlook !== 'refused').length ?? 0
  const name = t(commandKindLabels[kind])
  const submit = () => {
    if (send.isPending || able === 0 || reason.trim() === '') return
    send.mutate({ input: { vehicleIds: [...ids], kind, reason: reason.trim() }, idempotencyKey: key.current })
  }
  return (
    <Modal
      open
      width={640}
      title={
        given === null ? t('批量指令：{{count}} 辆车', { count: ids.length }) : t('{{kind}}的进度', { kind: name })
      }
      onCancel={onClose}
      footer={
        given === null ? (
          <div className="batch-foot">
            <Button onClick={onClose}>{t('取消')}</Button>
            <Button look="primary" busy={send.isPending} disabled={able === 0 || reason.trim() === ''} onClick={submit}>
              {t('{{kind}} {{count}} 辆车', { kind: name, count: able })}
            </Button>
          </div>
        ) : (
          <div className="batch-foot">
            <Button look="primary" onClick={onClose}>
              {t('关闭')}
            </Button>
          </div>
        )
      }
    >
      {given === null ? (
        <div className="batch">
          {vehicleIds.length > commandBatchMax && (
            <p role="alert">{t('一次最多 {{count}} 辆，其余的请分批进行', { count: commandBatchMax })}</p>
          )}
          <fieldset className="batch-kinds" aria-label={t('指令')}>
            {batchKinds.map((each) => (
              <button key={each} type="button" aria-pressed={kind === each} onClick={() => setKind(each)}>
                {t(commandKindLabels[each])}
              </button>
            ))}
          </fieldset>
          <input
            className="filter-keyword batch-reason"
            value={reason}
            maxLength={200}
            placeholder={t('原因（写入操作日志）')}
            aria-label={t('原因（写入操作日志）')}
            onChange={(event) => setReason(event.target.value)}
          />
          <PreviewList list={list} kind={kind} error={preview.error} onRetry={() => void preview.refetch()} />
        </div>
      ) : (
        <Progress given={given} numbers={new Map(list?.map((one) => [one.vehicleId, one.number]))} />
      )}
    </Modal>
  )
}

type Given = {
  readonly batchId: string
  readonly commands: readonly Command[]
  readonly refused: readonly CommandPreview[]
}

interface PreviewProps {
  readonly list: readonly CommandPreview[] | undefined
  readonly kind: CommandKind
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

const progressEveryMs = 2_000

function Progress({ given, numbers }: { given: Given; numbers: ReadonlyMap<number, string> }) {
  const [told, setTold] = useState<readonly Command[]>(given.commands)
  const isOver = told.every((command) => isFinalCommandState(command.state))
  const { data } = useEndpoint(
    commandEndpoints.commandBatch,
    { batchId: given.batchId },
    {
      enabled: given.commands.length > 0,
      staleMs: 0,
      quiet: true,
      ...(!isOver && { refetchIntervalMs: progressEveryMs }),
    },
  )
  useEffect(
    () =>
      liveSocket.onEvent((event) => {
        if (event.type !== 'command' || event.command.batchId !== given.batchId) return
        const { command } = event
        setTold((known) => mergeCommands([command], known, commandBatchMax))
      }),
    [given.batchId],
  )
  const commands = data === undefined ? told : mergeCommands(told, data.data.commands, commandBatchMax)
  const count = (state: Command['state']): number => commands.filter((command) => command.state === state).length
  const done = commands.filter((command) => isFinalCommandState(command.state)).length
  return (
    <div className="batch" aria-live="polite">
      <progress max={Math.max(1, commands.length)} value={done} aria-label={t('已有结果的指令')} />
      <ul className="batch-sums">
        {commandStates
          .filter((state) => count(state) > 0)
          .map((state) => (
            <li key={state} data-command-state={state}>
              {t(commandStateLabels[state])} <b>{count(state)}</b>
            </li>
          ))}
        {given.refused.length > 0 && (
          <li data-outlook="refused">
            {t('不能下发')} <b>{given.refused.length}</b>
          </li>
        )}
      </ul>
      <ul className="batch-list">
        {given.refused.map((one) => (
          <li key={one.vehicleId} data-outlook="refused">
            <span>{one.number}</span>
            <span>{t(one.refusal ?? '不能下发')}</span>
          </li>
        ))}
        {commands
          .filter((command) => command.failure !== null)
          .map((command) => (
            <li key={command.id} data-outlook="refused">
              <span>{numbers.get(command.vehicleId) ?? '--'}</span>
              <span>{t(command.failure ?? '')}</span>
            </li>
          ))}
      </ul>
    </div>
  )
}
