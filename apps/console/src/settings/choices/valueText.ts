import { settingOf, type SettingCode } from '@saddle/contract/settings/registry.ts'
import { number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'

/** A value with its unit, or the labels of its codes. */
export function valueText(code: SettingCode, value: number | readonly string[] | null): string {
  const setting = settingOf(code)
  if (value === null) return t('沿用上一级')
  if (typeof value === 'number')
    return setting.kind === 'number' ? `${number(value)} ${t(setting.unit)}` : number(value)
  if (setting.kind === 'number' || value.length === 0) return t('无')
  return value.map((one) => t(setting.labels[one] ?? one)).join(t('、'))
}
