import type { ReactNode } from 'react'
import { settingEndpoints, type ShownSetting } from '@saddle/contract/settings/choices.ts'
import { settingOf } from '@saddle/contract/settings/registry.ts'
import { checks } from '#kit/form/choiceFields.tsx'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { number } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'
import type { Place } from './place.ts'

interface Props {
  readonly place: Place
  readonly shown: ShownSetting
  readonly onClose: () => void
}

const stale = [settingEndpoints.systemSettings, settingEndpoints.settingHistory]

/** Changes one setting; the message that confirms it offers the value before. */
export function SettingForm({ place, shown, onClose }: Props): ReactNode {
  const { code, value, version } = shown
  const setting = settingOf(code)
  const common = {
    title: t(setting.title),
    call: settingEndpoints.changeSetting,
    about: `${place.agentId} ${place.areaId ?? ''} ${code}`,
    submit: t('保存'),
    stale,
    done: () => t('已保存'),
    undo: (
      answer: { readonly data: { readonly previous: number | string[] | null; readonly version: number } },
      input: { readonly code: typeof code },
    ) => ({ ...place, ...input, value: answer.data.previous, version: answer.data.version }),
    onClose,
  }
  if (setting.kind === 'number') {
    return (
      <FormDialog
        {...common}
        fields={{
          value: number({
            label: t(setting.title),
            unit: t(setting.unit),
            hint: t(setting.effect),
            note: t('{{min}}–{{max}}，默认 {{usual}}', { min: setting.min, max: setting.max, usual: setting.usual }),
            initial: typeof value === 'number' ? value : setting.usual,
            refusals: ['setting_range'],
          }),
        }}
        input={(typed) => ({ ...place, code, version, ...typed })}
      />
    )
  }
  return (
    <FormDialog
      {...common}
      fields={{
        value: checks({
          label: t(setting.title),
          hint: t(setting.effect),
          initial: typeof value === 'number' ? [] : value,
          options: Object.entries(setting.labels).map(([one, label]) => ({ value: one, label: t(label) })),
        }),
      }}
      input={(typed) => ({ ...place, code, version, ...typed })}
    />
  )
}
