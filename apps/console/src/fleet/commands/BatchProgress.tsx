import Modal from 'antd/es/modal'
import { useEffect, useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { emptyText } from '@saddle/contract/constants.ts'
import {
  commandBatchMax,
  commandEndpoints,
  commandKindLabels,
  commandStateLabels,
  commandStates,
  isFinalCommandState,
  type Command,
  type CommandKind,
  type CommandPreview,
} from '@saddle/contract/fleet/commands.ts'
import { useAction } from '#kit/action/useAction.ts'
import { t } from '#kit/i18n/index.ts'
import { liveSocket } from '#kit/live/socket.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { mergeCommands } from '../operation-map/steps.ts'
import './batch.css'

export type SentBatch = {
  readonly batchId: string
  readonly commands: readonly Command[]
  readonly refused: readonly CommandPreview[]
}

interface Props {
  readonly kind: CommandKind
  readonly sent: SentBatch
  readonly numbers: ReadonlyMap<number, string>
  /** The failed ones were given once more, as a batch of their own. */
  readonly onAgain: (sent: SentBatch) => void
  readonly onClose: () => void
}

/** The progress of the commands of a batch. */
export function BatchProgress({ kind, sent, numbers, onAgain, onClose }: Props): ReactNode {
  const commands = useProgress(sent)
  const failed = commands.filter(({ state }) => state === 'failed' || state === 'expired')
  const again = useAction(commandEndpoints.commandVehicles, { onDone: ({ data }) => onAgain(data) })
  const [first] = failed
  const foot = (
    <div className="batch-foot">
      {first !== undefined && (
        <Button
          busy={again.isBusy}
          onClick={() =>
            again.send({ vehicleIds: failed.map(({ vehicleId }) => vehicleId), kind, reason: first.reason })
          }
        >
          {t('重试失败的 {{count}} 辆', { count: failed.length })}
        </Button>
      )}
      <Button look="primary" onClick={onClose}>
        {t('关闭')}
      </Button>
    </div>
  )
  const title = t('{{kind}}的进度', { kind: t(commandKindLabels[kind]) })
  return (
    <Modal open width={640} title={title} onCancel={onClose} footer={foot}>
      <Progress commands={commands} sent={sent} numbers={numbers} />
    </Modal>
  )
}

const progressEveryMs = 2_000

/** The commands of the batch as they are now. */
function useProgress(sent: SentBatch): readonly Command[] {
  const [told, setTold] = useState<readonly Command[]>(sent.commands)
  const isOver = told.every((command) => isFinalCommandState(command.state))
  const { data } = useEndpoint(
    commandEndpoints.commandBatch,
    { batchId: sent.batchId },
    {
      enabled: sent.commands.length > 0,
      staleMs: 0,
      quiet: true,
      ...(!isOver && { refetchIntervalMs: progressEveryMs }),
    },
  )
  useEffect(
    () =>
      liveSocket.onEvent((event) => {
        if (event.type !== 'command' || event.command.batchId !== sent.batchId) return
        const { command } = event
        setTold((known) => mergeCommands([command], known, commandBatchMax))
      }),
    [sent.batchId],
  )
  return data === undefined ? told : mergeCommands(told, data.data.commands, commandBatchMax)
}

interface ProgressProps {
  readonly commands: readonly Command[]
  readonly sent: SentBatch
  readonly numbers: ReadonlyMap<number, string>
}

function Progress({ commands, sent, numbers }: ProgressProps) {
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
        {sent.refused.length > 0 && (
          <li data-outlook="refused">
            {t('不能下发')} <b>{sent.refused.length}</b>
          </li>
        )}
      </ul>
      <ul className="batch-list">
        {sent.refused.map((one) => (
          <li key={one.vehicleId} data-outlook="refused">
            <Link to={`/vehicle-info?vehicle=${one.number}`}>{one.number}</Link>
            <span>{t(one.refusal ?? '不能下发')}</span>
          </li>
        ))}
        {commands
          .filter((command) => command.failure !== null)
          .map((command) => (
            <li key={command.id} data-outlook="refused">
              <Vehicle number={numbers.get(command.vehicleId)} />
              <span>{t(command.failure ?? '')}</span>
            </li>
          ))}
      </ul>
    </div>
  )
}

const Vehicle = ({ number }: { readonly number: string | undefined }) =>
  number === undefined ? <span>{emptyText}</span> : <Link to={`/vehicle-info?vehicle=${number}`}>{number}</Link>
