import { useEffect, useRef, useState } from 'react'
import { commandEndpoints, commandKindLabels, type Command, type CommandKind } from '@saddle/contract/fleet/commands.ts'
import { t } from '#kit/i18n/index.ts'
import { useEndpointMutation } from '#kit/query.ts'
import { Throttled } from '#kit/ui/Throttled.tsx'
import { newIdempotencyKey } from '../commands/key.ts'
import { useEscape } from './useEscape.ts'

interface Target {
  readonly id: number
  readonly number: string
  readonly online: boolean
  readonly riding: boolean
}

interface Props {
  readonly vehicle: Target
  readonly locked: boolean | null
  readonly commands: readonly Command[]
  readonly onSent: (command: Command) => void
}

/** Unlock and lock: names the vehicle and the effect, asks why, and sends the command once. */
export function CommandComposer({ vehicle, locked, commands, onSent }: Props) {
  const [kind, setKind] = useState<CommandKind | null>(null)
  const pending = (of: CommandKind) =>
    commands.some((each) => each.kind === of && ['queued', 'sent', 'acknowledged'].includes(each.state))

  if (kind !== null) {
    return (
      <Confirm
        kind={kind}
        vehicle={vehicle}
        onClose={() => setKind(null)}
        onSent={(command) => {
          setKind(null)
          onSent(command)
        }}
      />
    )
  }
  return (
    <div className="om-actions">
      {(['unlock', 'lock'] as const).map((each) => (
        <button
          key={each}
          type="button"
          className="om-action"
          data-likely={locked === (each === 'unlock')}
          disabled={pending(each)}
          onClick={() => setKind(each)}
        >
          <LockIcon open={each === 'unlock'} />
          {pending(each) ? t('{{kind}}进行中', { kind: t(commandKindLabels[each]) }) : t(commandKindLabels[each])}
        </button>
      ))}
    </div>
  )
}

const longestReason = 200

interface ConfirmProps {
  readonly kind: CommandKind
  readonly vehicle: Target
  readonly onClose: () => void
  readonly onSent: (command: Command) => void
}

function Confirm({ kind, vehicle, onClose, onSent }: ConfirmProps) {
  const [reason, setReason] = useState('')
  const key = useRef(newIdempotencyKey())
  const send = useEndpointMutation(commandEndpoints.lockVehicle, {
    onSuccess: (answer) => onSent(answer.data),
    // An answer means that this attempt is over; silence means that the same one may be sent again.
    onError: (error) => {
      if (error.status !== 0) key.current = newIdempotencyKey()
    },
  })
  const submit = () => {
    if (send.isPending) return
    send.mutate({ input: { vehicleId: vehicle.id, kind, reason: reason.trim() }, idempotencyKey: key.current })
  }
  const form = useRef<HTMLFormElement>(null)
  const field = useRef<HTMLInputElement>(null)
  // The person has just asked for this: the field is where they go on.
  useEffect(() => field.current?.focus(), [])
  useEscape({ within: form, active: true, leave: onClose })
  const { number } = vehicle
  return (
    <form
      ref={form}
      className="om-confirm"
      aria-label={effectTitle(kind, number)}
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <p className="om-confirm-title">{effectTitle(kind, number)}</p>
      <p className="om-confirm-text">{effectText(kind, vehicle)}</p>
      <div className="om-reasons">
        {commonReasons(kind).map((each) => (
          <button
            key={each}
            type="button"
            className="om-chip"
            aria-pressed={reason === each}
            onClick={() => setReason(reason === each ? '' : each)}
          >
            {each}
          </button>
        ))}
      </div>
      <input
        className="om-input"
        value={reason}
        maxLength={longestReason}
        placeholder={t('原因（选填，写入操作日志）')}
        aria-label={t('原因（选填，写入操作日志）')}
        ref={field}
        onChange={(event) => setReason(event.target.value)}
      />
      {send.error !== null && (
        <p className="om-command-failure" role="alert">
          {send.error.status === 0 ? t('没有收到答复。再次发送是安全的，同一指令不会执行两次') : t(send.error.promot)}
        </p>
      )}
      <div className="om-actions">
        <button type="button" className="om-action" onClick={onClose}>
          {t('取消')}
        </button>
        <Throttled type="submit" className="om-action" data-primary aria-busy={send.isPending}>
          {send.isPending ? t('正在发送…') : effectButton(kind, number)}
        </Throttled>
      </div>
    </form>
  )
}

const effectTitle = (kind: CommandKind, number: string) =>
  kind === 'unlock' ? t('远程开锁 {{number}}', { number }) : t('远程关锁 {{number}}', { number })

const effectButton = (kind: CommandKind, number: string) =>
  kind === 'unlock' ? t('开锁 {{number}}', { number }) : t('关锁 {{number}}', { number })

function effectText(kind: CommandKind, { online, riding }: Target): string {
  if (!online) return t('车辆离线：指令会排队，60 秒内没有连上则过期')
  if (kind === 'unlock') return t('车锁将打开，任何人都可以推走这辆车')
  return riding ? t('车辆正在骑行，行驶中的设备会拒绝关锁') : t('车锁将关闭，车辆无法骑走')
}

function commonReasons(kind: CommandKind): readonly string[] {
  return kind === 'unlock'
    ? [t('用户求助'), t('运维检修'), t('挪车'), t('换电')]
    : [t('用户忘记关锁'), t('运维完成'), t('防盗'), t('异常骑行')]
}

function LockIcon({ open }: { open: boolean }) {
  return (
    <svg
      viewBox="0 0 20 20"
      width="18"
      height="18"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.7"
      aria-hidden="true"
    >
      <rect x="4" y="9" width="12" height="8" rx="2" />
      <path d={open ? 'M7 9V6a3 3 0 0 1 5.8-1' : 'M7 9V6a3 3 0 0 1 6 0v3'} strokeLinecap="round" />
    </svg>
  )
}
