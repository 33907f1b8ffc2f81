import Modal from 'antd/es/modal'
import { useEffect, useState, type ReactNode } from 'react'
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
  readonly onClose: () => void
}

/** The progress of the commands of a batch. */
export function BatchProgress({ kind, sent, numbers, onClose }: Props): ReactNode {
  const foot = (
    <div className="batch-foot">
      <Button look="primary" onClick={onClose}>
        {t('关闭')}
      </Button>
    </div>
  )
  const title = t('{{kind}}的进度', { kind: t(commandKindLabels[kind]) })
  return (
    <Modal open width={640} title={title} onCancel={onClose} footer={foot}>
      <Progress sent={sent} numbers={numbers} />
    </Modal>
  )
}

const progressEveryMs = 2_000

function Progress({ sent, numbers }: { sent: SentBatch; numbers: ReadonlyMap<number, string> }) {
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
        {sent.refused.length > 0 && (
          <li data-outlook="refused">
            {t('不能下发')} <b>{sent.refused.length}</b>
          </li>
        )}
      </ul>
      <ul className="batch-list">
        {sent.refused.map((one) => (
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
