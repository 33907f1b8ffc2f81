import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import { clientConfig } from '#kit/config.ts'
import { useBrand } from '#kit/branding.ts'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { OutLink } from '#kit/plain/Button.tsx'
import { safeRedirect } from '#kit/redirect.ts'
import { afterLogin } from './session.ts'
import { LoginForm } from './LoginForm.tsx'
import './login.css'

/** Login by phone and SMS code. */
export default function LoginPage(): ReactNode {
  const { appTitle } = useBrand()
  const [query] = useSearchParams()

  async function enter(): Promise<void> {
    // Without codes only the home is known to be permitted; the guard will say what is wrong with them.
    const held = await afterLogin().catch(() => new Set<string>())
    notify.afterReload('success', { title: t('欢迎'), text: t('登陆成功') })
    location.hash = safeRedirect(query.get('redirect'), held)
    location.reload()
  }

  return (
    <>
      <header className="login-head">
        <p className="login-kicker">{appTitle}</p>
        <h1>{t('登录')}</h1>
        <p>{t('使用手机号与短信验证码登录，无需密码。')}</p>
      </header>
      <LoginForm onLoggedIn={enter} />
      <p className="login-foot">
        {t('还没有账号？')} <Link to="/register">{t('申请加盟')}</Link>
      </p>
      {clientConfig().demo && (
        <p className="login-demo">
          {t('演示环境：短信不会真正发出，')}
          <OutLink href="/outbox">{t('在此查看验证码')}</OutLink>
        </p>
      )}
    </>
  )
}
