/** Constants and limits of the product (specification, section 9). */
import { dayMs, hourMs, minuteMs } from '#contract/time.ts'

export const basePath = '/ebike/v3/backend'
export const liveSocketPath = '/ws/live'

export const languages = ['zh', 'en'] as const
export type Language = (typeof languages)[number]

export const breakpointsPx = { tablet: 576, desktop: 1200 } as const
export const layoutPx = { sidebar: 256, sidebarCollapsed: 80, selectModal: 1000, headerAutoHideScroll: 100 } as const

export const phonePattern = /^1[3-9]\d{9}$/
export const phoneLength = 11
export const smsCodePattern = /^\d{6}$/

export const smsCountdownSeconds = 60
export const smsCodeLifetimeMs = 5 * minuteMs
export const smsCodeMaxTries = 5
export const smsPerPhonePerDay = 10
export const smsPerAddressPerHour = 20
export const loginTicketLifetimeMs = 2 * minuteMs

export const quickLoginLifetimeMs = minuteMs
export const accessTokenLifetimeMs = 604_800_000
export const signatureCookieLifetimeMs = 2 * dayMs
export const sessionIdleMs = 8 * hourMs
export const callTokenLifetimeMs = minuteMs
export const clockSkewMs = 5_000

export const clickThrottleMs = 1_000
export const chunkLoadTimeoutMs = 120_000
export const detailListMaxColumns = 4
export const maxOpenTabs = 30

export const watermark = { text: '请勿外传', rotateDeg: 30, zIndex: 10_000_000, phoneTailFrom: 5 } as const

export const storagePrefix = 'xc__'
/** Id of the company that runs the platform, the root of the tree. Never a scope. */
export const defaultAgentId = 2

export const dateTimeFormat = 'YYYY-MM-DD HH:mm:ss'
export const emptyText = '--'
export const emptyPairText = '-- --'

/** Permission levels of operators (section 3). */
export const operatorLevels = { admin: 1, operator: 2, maintenance: 4, production: 8 } as const
export type OperatorLevel = (typeof operatorLevels)[keyof typeof operatorLevels]

export const financialStatusActive = 2
export const financialLowerLevel = 1

export const pageSizeMax = 200
export const scopeListMax = 2_000

/** Preset primary colours of the theme drawer; `blue` is the default and passes AA on small text. */
export const themeColours = {
  red: '#cf1322',
  volcano: '#d4380d',
  dusk: '#d46b08',
  cyan: '#08979c',
  green: '#237804',
  blue: '#0958d9',
  geekBlue: '#1d39c4',
  purple: '#531dab',
} as const
export type ThemeColour = keyof typeof themeColours
