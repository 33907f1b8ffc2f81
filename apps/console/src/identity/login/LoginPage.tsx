import type { ReactNode } from 'react'
import { Link, useSearchParams } from 'react-router'
import { clientConfig } from '#kit/config.ts'
import { useBrand } from '#kit/branding.ts'
import { Chunk } from '#kit/chunk.tsx'
import { t } from '#kit/i18n/index.ts'
import type { PageLoader } from '#kit/pages.ts'
import { OutLink } from '#kit/plain/Button.tsx'
import { useDueFactor } from '#kit/session/secondFactor.ts'
import { enterConsole } from './enter.ts'
import { LoginForm } from './LoginForm.tsx'
import { PasskeyLogin } from './PasskeyLogin.tsx'
import './login.css'

const loadSecondFactor: PageLoader = () => import('./SecondFactorPage.tsx')

/** Login by phone and SMS code. */
export default function LoginPage(): ReactNode {
  const { appTitle } = useBrand()
  const [query] = useSearchParams()

  // Fetched when it is asked for: most people log in without.
  if (useDueFactor() !== null) return <Chunk load={loadSecondFactor} />
  const enter = (): Promise<void> => enterConsole(query.get('redirect'))
  return (
    <>
      <header className="login-head">
        <p className="login-kicker">{appTitle}</p>
        <h1>{t('登录')}</h1>
        <p>{t('使用手机号与短信验证码登录，无需密码。')}</p>
      </header>
      <LoginForm onLoggedIn={enter} />
      <PasskeyLogin onLoggedIn={enter} />
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
