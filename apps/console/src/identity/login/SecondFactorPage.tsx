import { useState, type FormEvent, type ReactNode } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { selfEndpoints } from '@saddle/contract/identity/self.ts'
import { call } from '#kit/api/client.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { Field } from '#kit/plain/Field.tsx'
import { logout } from '#kit/session/logout.ts'
import { useDueFactor } from '#kit/session/secondFactor.ts'
import { faultOf, TotpSetup } from '../factor/TotpSetup.tsx'
import { enterConsole } from './enter.ts'

/** The second half of the login: an authenticator's code, or setting one up where the company asks for it. */
export default function SecondFactorPage(): ReactNode {
  const due = useDueFactor()
  const [query] = useSearchParams()
  const navigate = useNavigate()

  const enter = (): Promise<void> => enterConsole(query.get('redirect'))
  async function leave(): Promise<void> {
    await logout()
    await navigate('/login', { replace: true })
  }

  return (
    <>
      <header className="login-head">
        <p className="login-kicker">{t('双因素验证')}</p>
        <h1>{due === 'missing' ? t('绑定动态验证码') : t('输入动态验证码')}</h1>
        <p>
          {due === 'missing'
            ? t('您的公司要求财务人员登录时使用动态验证码，绑定后才能继续。')
            : t('打开身份验证器查看 6 位数字；手机不在身边时可以使用恢复码。')}
        </p>
      </header>
      {due === 'missing' ? <TotpSetup onDone={() => void enter()} /> : <CodeForm onPassed={enter} />}
      <p className="login-foot">
        <Button look="quiet" onClick={() => void leave()}>
          {t('换一个账号登录')}
        </Button>
      </p>
    </>
  )
}

function CodeForm({ onPassed }: { readonly onPassed: () => Promise<void> }): ReactNode {
  const [code, setCode] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

  async function pass(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (busy) return
    if (code.trim() === '') return setFault(t('请输入动态验证码或恢复码'))
    setBusy(true)
    try {
      await call(selfEndpoints.passTotp, { code: code.trim() }, { quiet: true })
      await onPassed()
    } catch (error) {
      setFault(faultOf(error))
      setBusy(false)
    }
  }

  return (
    <form className="login-form" noValidate onSubmit={(event) => void pass(event)}>
      <Field
        label={t('动态验证码或恢复码')}
        error={fault}
        type="text"
        autoComplete="one-time-code"
        autoCapitalize="characters"
        // The page has just changed to this one question.
        // oxlint-disable-next-line jsx-a11y/no-autofocus
        autoFocus
        maxLength={20}
        value={code}
        onChange={(event) => {
          setCode(event.target.value)
          setFault(null)
        }}
      />
      <Button type="submit" look="primary" wide busy={busy}>
        {t('继续')}
      </Button>
    </form>
  )
}
