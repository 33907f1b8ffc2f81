import { useState, type ReactElement, type ReactNode } from 'react'
import Button from 'antd/es/button'
import Drawer from 'antd/es/drawer'
import Segmented from 'antd/es/segmented'
import Switch from 'antd/es/switch'
import { themeColours, type ThemeColour } from '@saddle/contract/constants.ts'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { colourNames } from '#kit/theme/LayoutFields.tsx'
import { changeTheme, useTheme, type ThemeSettings } from '#kit/theme/settings.ts'
import { Icon } from '../Icon.tsx'
import { copyText } from '../parts/copy.ts'
import { compileTheme } from './compile.ts'
import './theme-drawer.css'

/** Every theme setting of section 3, for trying out; settings can be copied as the new default. */
export default function ThemeDrawer({ onClose }: { readonly onClose: () => void }): ReactElement {
  const theme = useTheme()
  const [busy, setBusy] = useState(false)
  const choose = async (primaryColor: string): Promise<void> => {
    if (busy || primaryColor === theme.primaryColor) return
    setBusy(true)
    notify.info({ text: t('正在编译主题！') })
    try {
      await compileTheme(primaryColor)
    } catch {
      notify.error({ text: t('Failed to update theme') })
    } finally {
      setBusy(false)
    }
  }
  return (
    <Drawer open title={t('主题设置')} size={320} onClose={onClose} footer={<CopySettings theme={theme} />}>
      <Line label={t('主题色')}>
        <div className="theme-colours" role="radiogroup" aria-label={t('主题色')}>
          {Object.entries(themeColours).map(([name, colour]) => (
            <label key={name} title={t(colourNames[name as ThemeColour])} style={{ background: colour }}>
              <input
                type="radio"
                name="primaryColor"
                className="visually-hidden"
                aria-label={t(colourNames[name as ThemeColour])}
                checked={theme.primaryColor === colour}
                onChange={() => void choose(colour)}
              />
              {theme.primaryColor === colour && <Icon name="check" size={14} />}
            </label>
          ))}
        </div>
      </Line>
      <Choice
        label={t('界面')}
        name="appearance"
        options={[
          ['light', t('浅色')],
          ['dark', t('深色')],
        ]}
      />
      <Choice
        label={t('导航')}
        name="navTheme"
        options={[
          ['dark', t('深色')],
          ['light', t('浅色')],
        ]}
      />
      <Choice
        label={t('布局')}
        name="layout"
        options={[
          ['sidemenu', t('侧边菜单')],
          ['topmenu', t('顶部菜单')],
        ]}
      />
      <Choice
        label={t('内容宽度')}
        name="contentWidth"
        options={[
          ['Fixed', t('定宽')],
          ['Fluid', t('流式')],
        ]}
      />
      <Toggle label={t('固定页头')} name="fixedHeader" />
      <Toggle label={t('下滑时隐藏页头')} name="autoHideHeader" disabled={!theme.fixedHeader} />
      <Toggle label={t('固定侧边菜单')} name="fixSiderbar" disabled={theme.layout === 'topmenu'} />
      <Toggle label={t('色弱模式')} name="colorWeak" />
      <Toggle label={t('多标签页')} name="multiTab" />
    </Drawer>
  )
}

function Line({ label, children }: { readonly label: string; readonly children: ReactNode }): ReactElement {
  return (
    <div className="theme-line">
      <span>{label}</span>
      {children}
    </div>
  )
}

type ChoiceName = 'appearance' | 'navTheme' | 'layout' | 'contentWidth'
type ToggleName = 'fixedHeader' | 'autoHideHeader' | 'fixSiderbar' | 'colorWeak' | 'multiTab'

function Choice<N extends ChoiceName>(props: {
  readonly label: string
  readonly name: N
  readonly options: readonly (readonly [ThemeSettings[N], string])[]
}): ReactElement {
  const theme = useTheme()
  return (
    <Line label={props.label}>
      <Segmented
        aria-label={props.label}
        value={theme[props.name]}
        options={props.options.map(([value, label]) => ({ value, label }))}
        onChange={(value) => changeTheme({ [props.name]: value })}
      />
    </Line>
  )
}

function Toggle(props: {
  readonly label: string
  readonly name: ToggleName
  readonly disabled?: boolean
}): ReactElement {
  const theme = useTheme()
  return (
    <Line label={props.label}>
      <Switch
        size="small"
        aria-label={props.label}
        disabled={props.disabled === true}
        checked={theme[props.name]}
        onChange={(on) => changeTheme({ [props.name]: on })}
      />
    </Line>
  )
}

function CopySettings({ theme }: { readonly theme: ThemeSettings }): ReactElement {
  const copy = async (): Promise<void> => {
    if (await copyText(JSON.stringify(theme, null, 2))) notify.success({ text: t('复制完毕') })
    else notify.error({ text: t('复制失败') })
  }
  return (
    <Button block onClick={() => void copy()}>
      {t('复制设置')}
    </Button>
  )
}
