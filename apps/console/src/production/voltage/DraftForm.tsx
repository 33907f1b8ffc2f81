import type { ReactNode } from 'react'
import { usualCurve } from '@saddle/contract/fleet/batteryCurve.ts'
import { deviceProtocolLabels, type DeviceProtocol } from '@saddle/contract/fleet/protocols.ts'
import { voltageEndpoints, type VoltageScheme } from '@saddle/contract/production/voltage.ts'
import type { VoltageVersion } from '@saddle/contract/production/voltageWords.ts'
import { many } from '#kit/form/choiceFields.tsx'
import type { Field } from '#kit/form/field.ts'
import { FormDrawer } from '#kit/form/FormDialog.tsx'
import { number } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'
import { curveField } from './CurveField.tsx'
import { staleVoltage } from './words.ts'

interface Model {
  readonly model: string
  readonly protocol: DeviceProtocol
}

interface Props {
  readonly scheme: VoltageScheme
  /** The draft, or the version that a new draft starts from. */
  readonly start: VoltageVersion | undefined
  readonly models: readonly (Model & { readonly vehicles: number })[]
  readonly onClose: () => void
}

const keyOf = ({ model, protocol }: Model): string => `${protocol} ${model}`

/** The draft of a scheme: curve, hysteresis, what load and charger do to the voltage, and the models that follow it. */
export function DraftForm({ scheme, start, models, onClose }: Props): ReactNode {
  const revision = start?.state === 'draft' ? start.revision : 0
  return (
    <FormDrawer
      title={t('{{name}} 的草稿', { name: scheme.name })}
      call={voltageEndpoints.saveVoltageDraft}
      about={`${scheme.id} ${start?.id ?? 0} ${revision}`}
      widthPx={760}
      fields={{
        points: curveField({ initial: start?.points ?? usualCurve, fileName: scheme.name }),
        hysteresisPercent: number({
          label: t('回差'),
          unit: '%',
          initial: start?.hysteresisPercent ?? 2,
          hint: t('与当前显示相差小于此值时不变，避免电量来回跳动'),
        }),
        loadDropV: number({
          label: t('骑行压降'),
          unit: 'V',
          decimals: 2,
          initial: start?.loadDropV ?? 0,
          hint: t('锁打开时电压低于静置电压的值，换算前加上'),
        }),
        chargeRiseV: number({
          label: t('充电升压'),
          unit: 'V',
          decimals: 2,
          initial: start?.chargeRiseV ?? 0,
          hint: t('充电时电压高于静置电压的值，换算前减去'),
        }),
        models: modelField(models, start?.models ?? []),
      }}
      input={(values) => ({ schemeId: scheme.id, revision, ...values })}
      submit={t('保存草稿')}
      stale={staleVoltage}
      done={() => t('草稿已保存，回放之后才能生效')}
      onClose={onClose}
    >
      <p>{t('曲线两端之外超过一定范围的电压不属于这个电池组，不参与换算。')}</p>
    </FormDrawer>
  )
}

function modelField(models: Props['models'], chosen: readonly Model[]): Field<readonly string[], Model[]> {
  const known = new Map(
    [...chosen.map((model) => ({ ...model, vehicles: 0 })), ...models].map((one) => [keyOf(one), one]),
  )
  const field = many<string>({
    label: t('车型'),
    initial: chosen.map(keyOf),
    options: [...known].map(([value, { model, protocol, vehicles }]) => ({
      value,
      label: `${model} · ${deviceProtocolLabels[protocol]} · ${t('{{count}} 辆车', { count: vehicles })}`,
    })),
  })
  return {
    ...field,
    read: (value) =>
      value.length === 0
        ? { fault: t('请选择车型') }
        : {
            value: value.flatMap((key) => {
              const one = known.get(key)
              return one === undefined ? [] : [{ model: one.model, protocol: one.protocol }]
            }),
          },
  }
}
