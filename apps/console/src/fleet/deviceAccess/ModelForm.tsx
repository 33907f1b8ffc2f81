import Modal from 'antd/es/modal'
import { useState, type ReactNode } from 'react'
import {
  builtInProfileLabels,
  builtInProfiles,
  jt808ProofLabels,
  omniDialectLabels,
  profileNameOf,
  type BuiltInProfile,
  type ModelProfile,
  type Jt808ModelProfile,
} from '@saddle/contract/fleet/deviceProfiles.ts'
import { vehicleModelEndpoints, type VehicleModel } from '@saddle/contract/fleet/models.ts'
import { deviceProtocolLabels } from '@saddle/contract/fleet/protocols.ts'
import { wordsOf } from '#kit/api/client.ts'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpointMutation } from '#kit/query.ts'
import { Facts } from './Facts.tsx'
import { OrderFields } from './OrderFields.tsx'
import { draftOf, readDraft } from './profileDraft.ts'
import { lockStateFrom, orderKindLabels, orderKinds, orderLabel } from './profileWords.ts'

/** `none`: each device follows its own. */
type Choice = 'none' | BuiltInProfile | 'custom' | 'early'

const explanations: Readonly<Record<BuiltInProfile | 'custom', string>> = {
  standard: '支持平台扩展的终端：下发 8105 命令字 F0 至 F3；位置（0200）附加项 F8 说出的锁状态与指令一致，才算成功。',
  doors: '下发的消息同上，但终端不带附加项 F8：锁状态看位置中的车门状态位（第 12 位，1 为已锁）。',
  vehicle_control: '只支持国标的终端：下发 8500 车辆控制（车门），以 0500 应答或车门状态位确认；没有寻车铃和电池仓。',
  custom: '厂家另有规定时：逐条填写下发的消息、最低确认依据和锁状态位。',
}
const omniExplanations: Readonly<Record<'standard' | 'early', string>> = {
  standard: '现行 Omni 设备：开关锁下发 L0 / L1，以设备的 L0 / L1 结果确认。',
  early: '第一代 Omni 设备：开关锁相同，但告警 3 是低电量，里程为十六进制数字。',
}

interface Option {
  readonly value: Choice
  readonly label: string
  readonly text: string
}

function optionsOf({ protocol }: VehicleModel): readonly Option[] {
  const none = {
    value: 'none',
    label: '不按车型设置',
    text: '每台设备按自己的设置工作，没有另行设置的按第一项。',
  } as const
  if (protocol === 'omni') {
    const dialects = ['standard', 'early'] as const
    return [
      ...dialects.map((value) => ({ value, label: omniDialectLabels[value], text: omniExplanations[value] })),
      none,
    ]
  }
  const names = Object.keys(builtInProfiles) as BuiltInProfile[]
  return [
    ...names.map((value) => ({ value, label: builtInProfileLabels[value], text: explanations[value] })),
    { value: 'custom', label: '自定义', text: explanations.custom },
    none,
  ]
}

function profileFor({ protocol }: VehicleModel, choice: Choice): ModelProfile | null {
  if (choice === 'none' || choice === 'custom') return null
  if (protocol === 'omni') return { protocol, dialect: choice === 'early' ? 'early' : 'standard' }
  return choice === 'early' ? null : builtInProfiles[choice]
}

interface Props {
  readonly shown: VehicleModel
  readonly onClose: () => void
}

/** How the locks of a model are turned: what each choice sends, what confirms it, and whose vehicles follow it. */
export default function ModelForm({ shown, onClose }: Props): ReactNode {
  const { model, protocol, vehicles } = shown
  return (
    <Modal open width={720} footer={null} title={t('{{model}} 的锁控协议', { model })} onCancel={onClose}>
      <p className="da-note">
        {deviceProtocolLabels[protocol]} · {t('{{count}} 辆车', { count: vehicles })}
      </p>
      <Form shown={shown} onClose={onClose} />
    </Modal>
  )
}

function Form({ shown, onClose }: Props) {
  const { model, protocol, profile: present, version } = shown
  const [choice, setChoice] = useState<Choice>(present === null ? 'none' : profileNameOf(present))
  const [draft, setDraft] = useState(() => draftOf(present?.protocol === 'jt808' ? present : undefined))
  const [reason, setReason] = useState('')
  const [refusal, setRefusal] = useState<string | null>(null)
  const read = choice === 'custom' ? readDraft(draft) : { profile: profileFor(shown, choice), faults: [] }
  const set = useEndpointMutation(vehicleModelEndpoints.setVehicleModel, {
    invalidates: [vehicleModelEndpoints.listVehicleModels],
    onSuccess: () => {
      notify.success({ text: t('{{model}} 的锁控协议已生效', { model }) })
      onClose()
    },
    onError: (error) => setRefusal(wordsOf(error)),
  })
  const isSame = JSON.stringify(read.profile) === JSON.stringify(present) && (present !== null || version === 0)
  const isReady = !isSame && read.faults.length === 0 && reason.trim() !== ''
  const submit = () => {
    if (!isReady || set.isPending) return
    setRefusal(null)
    set.mutate({ input: { model, protocol, profile: read.profile, version, reason: reason.trim() } })
  }
  return (
    <form
      className="da-form"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <fieldset className="da-choices">
        <legend>{t('锁控协议')}</legend>
        {optionsOf(shown).map(({ value, label, text }) => (
          <label key={value} data-chosen={value === choice}>
            <input type="radio" name="da-profile" checked={value === choice} onChange={() => setChoice(value)} />
            <b>{t(label)}</b>
            <small>{t(text)}</small>
          </label>
        ))}
      </fieldset>
      {choice === 'custom' && <OrderFields draft={draft} onChange={setDraft} />}
      {read.profile?.protocol === 'jt808' && <Preview profile={read.profile} />}
      <p className="da-note">
        {t(
          '对所有加盟商的该车型车辆立即生效：从下一条指令起按新协议下发，正在执行的指令不受影响。设错会使这些车无法开锁，请先与厂家的协议文档核对。',
        )}
      </p>
      <label>
        {t('原因（写入设备日志）')}
        <input
          className="filter-keyword"
          value={reason}
          maxLength={200}
          onChange={(event) => setReason(event.target.value)}
        />
      </label>
      {refusal !== null && (
        <p className="da-fault" role="alert">
          {refusal}
        </p>
      )}
      {read.faults[0] !== undefined && <p className="da-fault">{read.faults[0]}</p>}
      <div className="da-foot">
        <Button onClick={onClose}>{t('取消')}</Button>
        <Button type="submit" look="primary" busy={set.isPending} disabled={!isReady}>
          {t('应用到该车型')}
        </Button>
      </div>
    </form>
  )
}

function Preview({ profile }: { profile: Jt808ModelProfile }) {
  const { orders, proof } = profile
  return (
    <section className="da-preview" aria-label={t('将要下发的消息')}>
      <Facts
        facts={[
          ...orderKinds.map((kind) => [t(orderKindLabels[kind]), orderLabel(orders[kind])] as const),
          [t('确认依据'), t(jt808ProofLabels[proof])],
          [t('锁状态来自'), lockStateFrom(profile)],
        ]}
      />
    </section>
  )
}
