import { useState, type ReactElement } from 'react'
import App from 'antd/es/app'
import { useLocation, useNavigate } from 'react-router'
import { financialStatusActive } from '@saddle/contract/constants.ts'
import { clientConfig } from '#kit/config.ts'
import { setLanguage, t, useLanguage } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { onDemand } from '#kit/onDemand.tsx'
import { logout } from '#kit/session/logout.ts'
import { useFinancialAccount, usePermissions } from '#kit/session/permissions.ts'
import { useSession } from '#kit/session/store.ts'
import { changeOwn } from '#kit/theme/changeOwn.ts'
import { useTheme } from '#kit/theme/settings.ts'
import { maskPhone } from '#kit/format.ts'
import { openChat } from '#support/openChat.ts'
import { Icon } from '../Icon.tsx'
import { MenuButton, type MenuEntry } from '../parts/MenuButton.tsx'
import { openPaymentPassword } from './payPassword.ts'
import { paymentPasswordCalls } from './payment.ts'

const ThemeDrawer = onDemand(
  () => import('../theme/ThemeDrawer.tsx'),
  (props) => props.onClose(),
)
const QuickLogin = onDemand(
  () => import('./QuickLogin.tsx'),
  (props) => props.onClose(),
)

/** The theme drawer belongs to the development preview only (section 1); a demo installation is one. */
const isPreview = (): boolean => import.meta.env.DEV || clientConfig().demo

const OpeningDrawer = onDemand(
  () => import('./OpenAccount.tsx'),
  (props) => props.onClose(),
)

type Opened = 'theme' | 'quickLogin' | 'opening' | null

/** The user menu. */
export function SettingsMenu({ onKeys }: { readonly onKeys: () => void }): ReactElement {
  const [opened, setOpened] = useState<Opened>(null)
  const session = useSession()
  const name = session?.me?.name ?? maskPhone(session?.phone ?? '')
  const entries = useEntries({ open: setOpened, onKeys })
  return (
    <>
      <MenuButton label={`${t('设置')} ${name}`} entries={entries} head={<Head />}>
        <span className="shell-avatar" data-initial={Array.from(name)[0]} />
        <span className="shell-person">{name}</span>
        <Icon name="down" size={12} />
      </MenuButton>
      {opened === 'theme' && <ThemeDrawer onClose={() => setOpened(null)} />}
      {opened === 'opening' && <OpeningDrawer onClose={() => setOpened(null)} />}
      {opened === 'quickLogin' && <QuickLogin onClose={() => setOpened(null)} />}
    </>
  )
}

function Head(): ReactElement | null {
  const session = useSession()
  if (session?.me === undefined) return null
  const { name, phone, roleName, company } = session.me
  return (
    <div className="shell-pop-head">
      <b>{name}</b>
      <small>
        {[roleName, company].filter((part) => part !== null && part !== '').join(' · ')}
        <br />
        {phone}
      </small>
    </div>
  )
}

function useEntries(on: { readonly open: (what: Opened) => void; readonly onKeys: () => void }): readonly MenuEntry[] {
  const language = useLanguage()
  const { appearance } = useTheme()
  const account = useFinancialAccount()
  const mayFinance = usePermissions().held.has('financial')
  const calls = mayFinance ? paymentPasswordCalls(account) : null
  const isUnopened = mayFinance && account !== null && account.status !== financialStatusActive
  const askLogout = useLogout()
  const navigate = useNavigate()
  const changeLanguage = (): void => {
    setLanguage(language === 'zh' ? 'en' : 'zh').catch(() => notify.error({ text: t('网络出现问题，请稍后再试') }))
  }
  const dark = appearance === 'dark'
  const theme: MenuEntry = {
    key: 'theme',
    icon: <Icon name="settings" />,
    label: t('主题设置'),
    onSelect: () => on.open('theme'),
  }
  const payment: readonly MenuEntry[] =
    calls === null
      ? []
      : [
          {
            key: 'modify',
            icon: <Icon name="key" />,
            label: t('修改支付密码'),
            apart: true,
            onSelect: () => void openPaymentPassword(calls.modify),
          },
          {
            key: 'reset',
            icon: <Icon name="key" />,
            label: t('重置支付密码'),
            onSelect: () => void openPaymentPassword(calls.reset),
          },
        ]
  // Without an open account no page of the finance group is left to open one on.
  const opening: readonly MenuEntry[] = isUnopened
    ? [
        {
          key: 'opening',
          icon: <Icon name="finance" />,
          label: t('开户'),
          apart: true,
          onSelect: () => on.open('opening'),
        },
      ]
    : []
  return [
    { key: 'account', icon: <Icon name="person" />, label: t('个人中心'), onSelect: () => void navigate('/account') },
    { key: 'exports', icon: <Icon name="export" />, label: t('导出中心'), onSelect: () => void navigate('/exports') },
    {
      key: 'language',
      icon: <Icon name="language" />,
      // Each language is offered under its own name.
      label: language === 'zh' ? 'English' : '中文',
      onSelect: changeLanguage,
    },
    {
      key: 'appearance',
      icon: <Icon name="theme" />,
      label: dark ? t('浅色界面') : t('深色界面'),
      onSelect: () => void changeOwn({ appearance: dark ? 'light' : 'dark' }),
    },
    ...(isPreview() ? [theme] : []),
    { key: 'keys', icon: <Icon name="keyboard" />, label: t('快捷键'), hint: <kbd>?</kbd>, onSelect: on.onKeys },
    { key: 'quick', icon: <Icon name="link" />, label: t('快捷登录'), onSelect: () => on.open('quickLogin') },
    {
      key: 'chat',
      icon: <Icon name="feedback" />,
      label: t('在线客服'),
      onSelect: () => void openChat(),
    },
    ...opening,
    ...payment,
    { key: 'logout', icon: <Icon name="logout" />, label: t('注销登录'), apart: true, onSelect: askLogout },
  ]
}

/** Confirms, logs out and opens the login page, which returns to this page (section 4). */
function useLogout(): () => void {
  const { modal } = App.useApp()
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  return () => {
    void modal.confirm({
      title: t('提示'),
      content: t('真的要注销登录吗 ?'),
      okText: t('注销登录'),
      cancelText: t('取消'),
      onOk: async () => {
        await logout()
        await navigate(`/login?redirect=${encodeURIComponent(pathname + search)}`, { replace: true })
      },
    })
  }
}
