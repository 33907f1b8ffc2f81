import { useRef, useState } from 'react'
import {
  commandEndpoints,
  commandKindLabels,
  type Command,
  type CommandKind,
  type CommandParameters,
} from '@saddle/contract/fleet/commands.ts'
import type { Field } from '#kit/form/field.ts'
import { Form, type Closing } from '#kit/form/Form.tsx'
import { reason } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'
import { effectOf } from '../commands/effect.ts'
import { ParameterFields } from '../commands/ParameterFields.tsx'
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
  /** The command that the address asks for, to be confirmed. */
  readonly asked?: CommandKind | null
}

/** Commands to one vehicle: names the vehicle and the effect, asks why, and sends the command once. */
export function CommandComposer({ vehicle, locked, commands, onSent, asked = null }: Props) {
  const [kind, setKind] = useState<CommandKind | null>(asked)
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
    <>
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
      <div className="om-more-commands">
        {furtherKinds.map((each) => (
          <button key={each} type="button" className="om-chip" disabled={pending(each)} onClick={() => setKind(each)}>
            {pending(each) ? t('{{kind}}进行中', { kind: t(commandKindLabels[each]) }) : t(commandKindLabels[each])}
          </button>
        ))}
      </div>
    </>
  )
}

const furtherKinds = [
  'ring',
  'locate',
  'ask_version',
  'open_battery',
  'restart',
  'power_off',
  'set_parameters',
] as const

interface ConfirmProps {
  readonly kind: CommandKind
  readonly vehicle: Target
  readonly onClose: () => void
  readonly onSent: (command: Command) => void
}

function Confirm({ kind, vehicle, onClose, onSent }: ConfirmProps) {
  const frame = useRef<HTMLFieldSetElement>(null)
  const closing = useRef<Closing>(null)
  useEscape({ within: frame, active: true, leave: () => closing.current?.tryClose() })
  const { id: vehicleId, number } = vehicle
  const withParameters = kind === 'set_parameters'
  return (
    <fieldset ref={frame} className="om-confirm" aria-label={effectTitle(kind, number)}>
      <p className="om-confirm-title">{effectTitle(kind, number)}</p>
      <Form
        call={commandEndpoints.lockVehicle}
        about={`${vehicleId} ${kind}`}
        fields={{
          parameters: parameterField(),
          reason: reason({ label: t('原因（写入操作日志）'), presets: commonReasons(kind) }),
        }}
        adjust={() => ({ parameters: { isHidden: !withParameters } })}
        input={(values) => ({
          vehicleId,
          kind,
          reason: values.reason,
          ...(withParameters && { parameters: values.parameters }),
        })}
        submit={effectButton(kind, number)}
        onDone={({ data }) => onSent(data)}
        onClose={onClose}
        closing={closing}
      >
        <p className="om-confirm-text">{effectText(kind, vehicle)}</p>
      </Form>
    </fieldset>
  )
}

function parameterField(): Field<CommandParameters, CommandParameters> {
  return {
    label: t('参数'),
    isGroup: true,
    initial: {},
    read: (value) => (Object.keys(value).length === 0 ? { fault: t('请填写要设置的参数') } : { value }),
    control: ({ value, onChange }) => <ParameterFields value={value} onChange={onChange} />,
  }
}

function effectTitle(kind: CommandKind, number: string): string {
  if (kind === 'unlock') return t('远程开锁 {{number}}', { number })
  if (kind === 'lock') return t('远程关锁 {{number}}', { number })
  return t('{{kind}}：{{number}}', { kind: t(commandKindLabels[kind]), number })
}

function effectButton(kind: CommandKind, number: string): string {
  if (kind === 'unlock') return t('开锁 {{number}}', { number })
  if (kind === 'lock') return t('关锁 {{number}}', { number })
  return t('{{kind}} {{number}}', { kind: t(commandKindLabels[kind]), number })
}

function effectText(kind: CommandKind, { online, riding }: Target): string {
  if (!online) return t('车辆离线：指令会排队，60 秒内没有连上则过期')
  if (kind === 'lock' && riding) return t('车辆正在骑行，行驶中的设备会拒绝关锁')
  return effectOf(kind)
}

function commonReasons(kind: CommandKind): readonly string[] {
  if (kind === 'unlock') return [t('用户求助'), t('运维检修'), t('挪车'), t('换电')]
  if (kind === 'lock') return [t('用户忘记关锁'), t('运维完成'), t('防盗'), t('异常骑行')]
  return kind === 'open_battery' ? [t('换电'), t('运维检修')] : [t('运维检修'), t('找车'), t('防盗')]
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
