import { useId, type ReactNode } from 'react'
import { themeColours, type ThemeColour } from '@saddle/contract/constants.ts'
import type { Layout } from '@saddle/contract/organisation/appearance.ts'
import { t } from '#kit/i18n/index.ts'
import { defaultTheme } from './settings.ts'
import './layout-fields.css'

export const colourNames: Readonly<Record<ThemeColour, string>> = {
  red: '薄暮红',
  volcano: '火山橙',
  dusk: '日暮',
  cyan: '明青',
  green: '极光绿',
  blue: '拂晓蓝（默认）',
  geekBlue: '极客蓝',
  purple: '酱紫',
}

const choices = [
  {
    name: 'layout',
    label: '布局',
    options: [
      ['sidemenu', '侧边菜单'],
      ['topmenu', '顶部菜单'],
    ],
  },
  {
    name: 'contentWidth',
    label: '内容宽度',
    options: [
      ['Fixed', '定宽'],
      ['Fluid', '流式'],
    ],
  },
  {
    name: 'navTheme',
    label: '导航',
    options: [
      ['dark', '深色'],
      ['light', '浅色'],
    ],
  },
  {
    name: 'appearance',
    label: '界面颜色',
    options: [
      ['light', '浅色'],
      ['dark', '深色'],
    ],
  },
  {
    name: 'density',
    label: '行高',
    options: [
      ['compact', '紧凑'],
      ['comfortable', '宽松'],
    ],
  },
] as const

const toggles = [
  ['multiTab', '多标签页'],
  ['fixedHeader', '固定页头'],
  ['autoHideHeader', '下滑时隐藏页头'],
  ['fixSiderbar', '固定侧边菜单'],
  ['colorWeak', '色弱模式'],
] as const

interface Props {
  /** The settings with a value; the others show the product's default. */
  readonly value: Layout
  readonly disabled?: boolean
  readonly onChange: (change: Layout) => void
}

/** Settings of the frame around every page; each change applies at once, wherever it is stored. */
export function LayoutFields({ value, disabled = false, onChange }: Props): ReactNode {
  const id = useId()
  const shown = { ...defaultTheme, ...value }
  // A header that scrolls away cannot hide, and without a side menu nothing of it is fixed.
  const isMoot = { autoHideHeader: !shown.fixedHeader, fixSiderbar: shown.layout === 'topmenu' }
  return (
    <div className="layout-fields">
      {choices.map(({ name, label, options }) => (
        <fieldset key={name} disabled={disabled}>
          <legend>{t(label)}</legend>
          {options.map(([option, text]) => (
            <label key={option}>
              <input
                type="radio"
                name={`${id}-${name}`}
                checked={shown[name] === option}
                onChange={() => onChange({ [name]: option })}
              />
              {t(text)}
            </label>
          ))}
        </fieldset>
      ))}
      <fieldset disabled={disabled}>
        <legend>{t('主题色')}</legend>
        <div className="layout-colours">
          {Object.entries(themeColours).map(([name, colour]) => (
            <label key={name} title={t(colourNames[name as ThemeColour])} style={{ background: colour }}>
              <input
                type="radio"
                name={`${id}-colour`}
                className="visually-hidden"
                aria-label={t(colourNames[name as ThemeColour])}
                checked={shown.primaryColor === colour}
                onChange={() => onChange({ primaryColor: colour })}
              />
            </label>
          ))}
        </div>
      </fieldset>
      <fieldset disabled={disabled}>
        <legend>{t('选项')}</legend>
        {toggles.map(([name, label]) => (
          <label key={name}>
            <input
              type="checkbox"
              checked={shown[name]}
              disabled={name in isMoot && isMoot[name as keyof typeof isMoot]}
              onChange={(event) => onChange({ [name]: event.target.checked })}
            />
            {t(label)}
          </label>
        ))}
      </fieldset>
    </div>
  )
}
