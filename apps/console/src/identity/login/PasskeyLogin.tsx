import { useState, type ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { Button } from '#kit/plain/Button.tsx'

interface Props {
  /** Called when the session exists; the page is then left. */
  readonly onLoggedIn: () => Promise<void>
}

/** Login with a passkey; renders nothing without browser support. */
export function PasskeyLogin({ onLoggedIn }: Props): ReactNode {
  const [busy, setBusy] = useState(false)
  if (!('PublicKeyCredential' in globalThis)) return null

  async function enter(): Promise<void> {
    setBusy(true)
    try {
      // Fetched when it is asked for: most people log in without.
      const { passkeyLogin } = await import('./passkey.ts')
      if (await passkeyLogin()) await onLoggedIn()
    } catch (error) {
      notify.error({ title: t('登录失败'), text: t(error instanceof Error ? error.message : '登录异常') })
    } finally {
      setBusy(false)
    }
  }

  return (
    <div className="login-other">
      <span>{t('或')}</span>
      <Button wide busy={busy} onClick={() => void enter()}>
        {t('通行密钥登录')}
      </Button>
    </div>
  )
}
