import { useEffect, useRef, useState, type ReactElement } from 'react'
import { QueryClientProvider } from '@tanstack/react-query'
import App from 'antd/es/app'
import ConfigProvider from 'antd/es/config-provider'
import enUS from 'antd/es/locale/en_US'
import zhCN from 'antd/es/locale/zh_CN'
import { useLocation, useNavigate } from 'react-router'
import { menuRow, redirectOf } from '@saddle/contract/menu.ts'
import { appearanceEndpoints } from '@saddle/contract/organisation/appearance.ts'
import { rememberVisit } from '#reports/overview/recent.ts'
import { keepCompanyBrand, titleDocument, useBrand } from '#kit/branding.ts'
import { clientConfig, styleNonce } from '#kit/config.ts'
import { t, useLanguage } from '#kit/i18n/index.ts'
import { onDemand } from '#kit/onDemand.tsx'
import { liveSocket } from '#kit/live/socket.ts'
import { queryClient, useEndpoint } from '#kit/query.ts'
import { loadPermissions, usePermissions } from '#kit/session/permissions.ts'
import { useStore } from '#kit/store.ts'
import { adoptLayout, useTheme } from '#kit/theme/settings.ts'
import { Page } from '../Page.tsx'
import { Header } from './header/Header.tsx'
import { KeyHelp } from './keyboard/KeyHelp.tsx'
import { focusPageSearch, useShortcuts } from './keyboard/shortcuts.ts'
import { sidebarOpenOn, type Device } from './layout/device.ts'
import { useAutoHide } from './layout/useAutoHide.ts'
import { useDevice } from './layout/useDevice.ts'
import { menuNodes, setCollapsed } from './menu/model.ts'
import { Sider, TopBar } from './menu/Sider.tsx'
import { unfolded } from './menu/store.ts'
import { useMapAhead } from './ahead.ts'
import { ScopeSelectors } from './scope/ScopeSelectors.tsx'
import { PageBoundary } from './PageBoundary.tsx'
import { Overlay } from './parts/Overlay.tsx'
import { openTab, type Tabs } from './tabs/rules.ts'
import { openTabs } from './tabs/store.ts'
import { TabBar } from './tabs/TabBar.tsx'
import { TabPages } from './tabs/TabPages.tsx'
import { antdThemeOf } from './theme/antdTheme.ts'
// Fields and hints stand on pages without a form, too.
import '#kit/form/form.css'
import '#kit/theme/page.css'
import './shell.css'

// Loaded when somebody searches.
const Palette = onDemand<{ onClose: () => void }>(
  () => import('./keyboard/Palette.tsx'),
  ({ onClose }) => onClose(),
)

/** The frame of every page behind the login: menu, header, tabs, chat. */
export default function GlobalLayout(): ReactElement {
  const theme = useTheme()
  const language = useLanguage()
  const nonce = styleNonce()
  return (
    <ConfigProvider
      theme={antdThemeOf(theme)}
      locale={language === 'zh' ? zhCN : enUS}
      button={{ autoInsertSpace: false }}
      getPopupContainer={popupHost}
      {...(nonce !== undefined && { csp: { nonce } })}
    >
      <App component={false}>
        <QueryClientProvider client={queryClient}>
          <Frame />
        </QueryClientProvider>
      </App>
    </ConfigProvider>
  )
}

/**
 * Container of antd popups. Not the body: there antd would lock scrolling with a style element that the
 * page's policy refuses, and the body never scrolls here.
 */
function popupHost(): HTMLElement {
  const known = document.getElementById(popupHostId)
  if (known !== null) return known
  const host = document.createElement('div')
  host.id = popupHostId
  document.body.append(host)
  return host
}

const popupHostId = 'shell-popups'

const renderPage = (path: string): ReactElement => (
  <PageBoundary>
    <Page path={path} />
  </PageBoundary>
)

type Opened = 'menu' | 'palette' | 'keys' | null

function Frame(): ReactElement {
  const { pathname: path, search } = useLocation()
  const theme = useTheme()
  const device = useDevice()
  const [opened, setOpened] = useOpened(path)
  const scroller = useRef<HTMLDivElement>(null)
  const content = useRef<HTMLElement>(null)
  const { list, active } = useRouteInTabs(path, search)
  const away = useAutoHide(scroller, theme.fixedHeader && theme.autoHideHeader)
  useLive()
  useMapAhead()
  useAppearance()
  useMenuOf(device)
  useKeys(setOpened)
  const atSide = device !== 'mobile' && theme.layout === 'sidemenu'
  const onTop = device !== 'mobile' && theme.layout === 'topmenu'
  return (
    <div
      className="shell shell-frame"
      data-nav={theme.navTheme}
      data-layout={onTop ? 'topmenu' : 'sidemenu'}
      data-width={theme.contentWidth}
      data-fixed-side={theme.fixSiderbar}
    >
      <button type="button" className="shell-skip" onClick={() => content.current?.focus()}>
        {t('跳到正文')}
      </button>
      {clientConfig().insecureTransport && <InsecureBanner />}
      <div className="shell-scroller" ref={scroller}>
        {atSide && <Sider path={path} />}
        <div className="shell-column">
          <header className="shell-bars" data-fixed={theme.fixedHeader} data-away={away}>
            {onTop && <TopBar path={path} />}
            <Header
              path={path}
              device={device}
              onMenu={device === 'mobile' ? () => setOpened('menu') : null}
              onFind={() => setOpened('palette')}
              onKeys={() => setOpened('keys')}
            />
            {theme.multiTab && <TabBar />}
          </header>
          {device === 'mobile' && <ScopeSelectors />}
          <main ref={content} className="shell-content" tabIndex={-1}>
            <TabPages list={list} active={active} scroller={scroller} renderPage={renderPage} />
          </main>
        </div>
      </div>
      {opened === 'menu' && (
        <Overlay label={t('主菜单')} place="side" onClose={() => setOpened(null)}>
          <div className="shell" data-nav={theme.navTheme}>
            <Sider path={path} drawer onGo={() => setOpened(null)} />
          </div>
        </Overlay>
      )}
      {opened === 'palette' && <Palette onClose={() => setOpened(null)} />}
      {opened === 'keys' && <KeyHelp onClose={() => setOpened(null)} />}
    </div>
  )
}

/** The open overlay; navigation closes it. */
function useOpened(path: string): readonly [Opened, (what: Opened) => void] {
  const [opened, setOpened] = useState<{ readonly what: Opened; readonly path: string }>({ what: null, path })
  return [opened.path === path ? opened.what : null, (what) => setOpened({ what, path })]
}

function InsecureBanner(): ReactElement {
  return (
    <div className="shell-banner" role="alert">
      {t('当前连接没有加密：验证码、登录信息和资金操作都可能被窃听。请改用 https 访问，或联系管理员关闭 ALLOW_HTTP。')}
    </div>
  )
}

/** The route becomes a tab; without the multi-tab setting it is the only one. */
function useRouteInTabs(path: string, search: string): Tabs {
  const { multiTab } = useTheme()
  const tabs = useStore(openTabs)
  useBrand()
  useEffect(() => {
    openTabs.set(openTab(multiTab ? openTabs.get() : { list: [], active: '' }, { path, search }))
  }, [multiTab, path, search])
  useEffect(() => rememberVisit(path), [path])
  // Cheap, and it depends on the language and the brand as well: done after every render.
  useEffect(() => titleDocument(t(menuRow(path)?.title ?? '')))
  // The page of the route is shown at once; the stored tabs follow after the commit.
  return openTab(multiTab ? tabs : { list: [], active: '' }, { path, search })
}

/** Tablet: closed; desktop: open. Only a change of the device decides, not every resize. */
function useMenuOf(device: Device): void {
  useEffect(() => unfolded.set(setCollapsed(unfolded.get(), !sidebarOpenOn(device))), [device])
}

/** The branding of the own company, and the layout that company and person have set. */
function useAppearance(): void {
  const { data } = useEndpoint(appearanceEndpoints.ownAppearance, {}, { quiet: true })
  useEffect(() => {
    if (data === undefined) return
    keepCompanyBrand(data.data.branding)
    adoptLayout(data.data)
  }, [data])
}

/** Permissions of this user have changed: reloads the menu and all queries. */
async function readAnew(): Promise<void> {
  try {
    await loadPermissions()
    await queryClient.invalidateQueries()
  } catch {
    // Without an answer nothing changes; the server checks each call.
  }
}

function useLive(): void {
  useEffect(() => {
    liveSocket.connect()
    const stopEvents = liveSocket.onEvent((event) => {
      if (event.type === 'refresh') void readAnew()
    })
    return () => {
      stopEvents()
      liveSocket.disconnect()
    }
  }, [])
}

function useKeys(open: (what: Opened) => void): void {
  const navigate = useNavigate()
  const { held } = usePermissions()
  useShortcuts((action) => {
    if (action.do === 'palette') open('palette')
    else if (action.do === 'help') open('keys')
    else if (action.do === 'search') {
      if (!focusPageSearch()) open('palette')
    } else if (action.path === '/log' || menuNodes(held).some((node) => node.row.path === action.path)) {
      void navigate(redirectOf(action.path, held) ?? action.path)
    }
  })
}
