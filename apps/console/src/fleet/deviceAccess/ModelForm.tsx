import type { ReactNode } from 'react'
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
import type { ControlProps, Field } from '#kit/form/field.ts'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { text } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'
import { Facts } from '#kit/ui/Facts.tsx'
import { OrderFields } from './OrderFields.tsx'
import { draftOf, readDraft, type ProfileDraft } from './profileDraft.ts'
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

/** How the locks of a model are controlled: what each choice sends, what confirms it, and whose vehicles follow it. */
export default function ModelForm({ shown, onClose }: Props): ReactNode {
  const { model, protocol, vehicles, version, profile: present } = shown
  const isSame = (value: ProfileChoice): boolean =>
    JSON.stringify(readChoice(shown, value).profile) === JSON.stringify(present) && (present !== null || version === 0)
  return (
    <FormDialog
      title={t('{{model}} 的锁控协议', { model })}
      widthPx={720}
      call={vehicleModelEndpoints.setVehicleModel}
      about={`${protocol} ${model} ${version}`}
      fields={{ profile: profileField(shown), reason: text({ label: t('原因（写入设备日志）') }) }}
      adjust={({ profile }) => ({ profile: { fault: isSame(profile) ? t('锁控协议没有变化') : null } })}
      input={(values) => ({ model, protocol, version, ...values })}
      submit={t('应用到该车型')}
      stale={[vehicleModelEndpoints.listVehicleModels]}
      done={() => t('{{model}} 的锁控协议已生效', { model })}
      onClose={onClose}
    >
      <p>
        {deviceProtocolLabels[protocol]} · {t('{{count}} 辆车', { count: vehicles })}
      </p>
      <p>
        {t(
          '对所有加盟商的该车型车辆立即生效：从下一条指令起按新协议下发，正在执行的指令不受影响。设错会使这些车无法开锁，请先与厂家的协议文档核对。',
        )}
      </p>
    </FormDialog>
  )
}

/** What is chosen, and what was typed of a maker's own profile. */
interface ProfileChoice {
  readonly choice: Choice
  readonly draft: ProfileDraft
}

const readChoice = (shown: VehicleModel, { choice, draft }: ProfileChoice) =>
  choice === 'custom' ? readDraft(draft) : { profile: profileFor(shown, choice), faults: [] }

function profileField(shown: VehicleModel): Field<ProfileChoice, ModelProfile | null> {
  const { profile: present } = shown
  return {
    label: t('锁控协议'),
    isGroup: true,
    initial: {
      choice: present === null ? 'none' : profileNameOf(present),
      draft: draftOf(present?.protocol === 'jt808' ? present : undefined),
    },
    read: (value) => {
      const { profile, faults } = readChoice(shown, value)
      return faults[0] === undefined ? { value: profile } : { fault: faults[0] }
    },
    control: (props) => <ProfileControl {...props} shown={shown} />,
  }
}

function ProfileControl({ id, value, onChange, shown }: ControlProps<ProfileChoice> & { shown: VehicleModel }) {
  const { profile } = readChoice(shown, value)
  return (
    <>
      <div className="da-choices">
        {optionsOf(shown).map(({ value: choice, label, text }) => (
          <label key={choice} data-chosen={choice === value.choice}>
            <input
              type="radio"
              name={id}
              checked={choice === value.choice}
              onChange={() => onChange({ ...value, choice })}
            />
            <b>{t(label)}</b>
            <small>{t(text)}</small>
          </label>
        ))}
      </div>
      {value.choice === 'custom' && (
        <OrderFields draft={value.draft} onChange={(draft) => onChange({ ...value, draft })} />
      )}
      {profile?.protocol === 'jt808' && <Preview profile={profile} />}
    </>
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
