import type { ReactNode } from 'react'
import type { CommandParameters } from '@saddle/contract/fleet/commands.ts'
import { t } from '#kit/i18n/index.ts'
import { SelectOne } from '#kit/ui/SelectOne.tsx'

interface Props {
  readonly value: CommandParameters
  readonly onChange: (value: CommandParameters) => void
}

type Numbered = Exclude<keyof CommandParameters, 'headlight'>

/** Settings of a device; fields left empty stay unchanged. */
export function ParameterFields({ value, onChange }: Props): ReactNode {
  const put = (part: Partial<Record<keyof CommandParameters, number | boolean | undefined>>) => {
    const kept = Object.entries({ ...value, ...part }).filter(([, one]) => one !== undefined)
    onChange(Object.fromEntries(kept))
  }
  const field = (name: Numbered, label: string, min: number, max: number) => (
    <label>
      {label}
      <input
        className="om-input"
        type="number"
        min={min}
        max={max}
        value={value[name] ?? ''}
        onChange={(event) => put({ [name]: event.target.value === '' ? undefined : Number(event.target.value) })}
      />
    </label>
  )
  return (
    <div className="om-parameters">
      {field('reportSeconds', t('定位间隔（秒）'), 5, 3_600)}
      {field('heartbeatSeconds', t('心跳间隔（秒）'), 10, 3_600)}
      {field('speedLimitKmh', t('限速（km/h）'), 5, 60)}
      <label>
        {t('大灯')}
        <SelectOne<'' | 'on' | 'off'>
          label={t('大灯')}
          value={value.headlight === undefined ? '' : value.headlight ? 'on' : 'off'}
          options={[
            { value: '', label: t('不变') },
            { value: 'on', label: t('开') },
            { value: 'off', label: t('关') },
          ]}
          onChange={(lamp) => put({ headlight: lamp === '' ? undefined : lamp === 'on' })}
        />
      </label>
    </div>
  )
}
