import antdTheme from 'antd/es/theme'
import type { ThemeConfig } from 'antd/es/config-provider'
import { brighter, type ThemeSettings } from '#kit/theme/settings.ts'

/** antd would tint its raised grounds with the accent's blue; these are the kit's own. */
const darkGrounds = {
  colorBgBase: '#0e131a',
  colorBgLayout: '#0e131a',
  colorBgContainer: '#161c25',
  colorBgElevated: '#1b222d',
  colorBorder: '#3a4556',
  colorBorderSecondary: '#2a3340',
  colorTextLightSolid: '#0b1220',
} as const

/** The kit's colours and sizes as antd tokens. */
export function antdThemeOf({ primaryColor, appearance }: ThemeSettings): ThemeConfig {
  const dark = appearance === 'dark'
  return {
    algorithm: dark ? antdTheme.darkAlgorithm : antdTheme.defaultAlgorithm,
    token: {
      colorPrimary: dark ? brighter(primaryColor) : primaryColor,
      colorInfo: dark ? brighter(primaryColor) : primaryColor,
      colorLink: dark ? brighter(primaryColor) : primaryColor,
      ...(dark ? darkGrounds : { colorBgLayout: '#f3f5f8' }),
      colorTextBase: dark ? '#e6ebf2' : '#1b2430',
      colorTextSecondary: dark ? '#b2bdcb' : '#4a5667',
      // antd's own colour would miss the contrast that small text needs.
      colorTextTertiary: dark ? '#8f9bab' : '#5c697b',
      colorTextPlaceholder: dark ? '#8f9bab' : '#5c697b',
      borderRadius: 6,
      fontFamily: 'var(--font)',
      fontSize: 14,
      fontSizeSM: 12,
      controlHeight: 32,
      // Dialogs stand still at once where the person asked for less motion.
      motion: !globalThis.matchMedia('(prefers-reduced-motion: reduce)').matches,
      wireframe: false,
    },
    components: {
      Table: { cellPaddingBlock: 5, cellPaddingInline: 12, headerBg: 'transparent', headerSplitColor: 'transparent' },
      Modal: { titleFontSize: 16 },
    },
  }
}
