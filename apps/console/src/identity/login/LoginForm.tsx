import { useRef, useState, type FormEvent, type ReactNode } from 'react'
import { phoneLength, smsCountdownSeconds } from '@saddle/contract/constants.ts'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { Button } from '#kit/plain/Button.tsx'
import { Field } from '#kit/plain/Field.tsx'
import { useThrottledClick } from '#kit/ui/Throttled.tsx'
import { LoginError } from './error.ts'
import { login, sendCode } from './flow.ts'
import { codeFault, phoneFault, phoneFaultForSending, typeCode } from './rules.ts'
import { useCountdown } from './useCountdown.ts'

interface Props {
  /** Called when the session exists; the page is then left. */
  readonly onLoggedIn: () => Promise<void>
}

interface Faults {
  readonly phone: string | null
  readonly code: string | null
}

const noFaults: Faults = { phone: null, code: null }
const words = (error: unknown): string => t(error instanceof Error && error.message !== '' ? error.message : '登录异常')
const shown = (fault: string | null): string | null => (fault === null ? null : t(fault))

/** Phone, code, and the texts of section 8. */
export function LoginForm({ onLoggedIn }: Props): ReactNode {
  const [phone, setPhone] = useState('')
  const [code, setCode] = useState('')
  const [faults, setFaults] = useState<Faults>(noFaults)
  const [busy, setBusy] = useState<'sending' | 'entering' | null>(null)
  const [requested, setRequested] = useState(false)
  const countdown = useCountdown()
  const codeInput = useRef<HTMLInputElement>(null)

  async function sendTo(number: string): Promise<void> {
    setBusy('sending')
    try {
      await sendCode(number)
      countdown.start(smsCountdownSeconds)
      notify.success({ text: t('短信发送成功') })
      codeInput.current?.focus()
    } catch (error) {
      notify.error({ title: t('错误'), text: words(error) })
    } finally {
      setBusy(null)
    }
  }

  const send = useThrottledClick<HTMLButtonElement>(() => {
    if (countdown.seconds > 0 || busy !== null) return
    const fault = phoneFaultForSending(phone)
    setFaults({ phone: fault, code: null })
    if (fault === null) void sendTo(phone)
  })

  async function enter(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (busy !== null) return
    const found: Faults = { phone: phoneFault(phone), code: codeFault(code) }
    setFaults(found)
    if (found.phone !== null || found.code !== null) return
    setBusy('entering')
    setRequested(false)
    try {
      await login({ phone, code, onVerified: () => notify.success({ text: t('短信验证成功') }) })
      await onLoggedIn()
    } catch (error) {
      const text = words(error)
      const title = t('登录失败')
      notify.error(text === title ? { text } : { title, text })
      setRequested(error instanceof LoginError && error.isDeviceRequested)
      setBusy(null)
    }
  }

  function changeCode(typed: string): void {
    const { value, fault } = typeCode(typed)
    setCode(value)
    setFaults({ ...faults, code: fault })
  }

  const waiting = countdown.seconds > 0
  return (
    <form className="login-form" noValidate onSubmit={(event) => void enter(event)}>
      <PhoneField
        value={phone}
        fault={faults.phone}
        onChange={(typed) => {
          setPhone(typed)
          setFaults({ ...faults, phone: null })
        }}
        onLeave={() => phone !== '' && setFaults({ ...faults, phone: phoneFault(phone) })}
      />
      <Field
        label={t('验证码')}
        error={shown(faults.code)}
        ref={codeInput}
        type="text"
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={6}
        placeholder={t('6 位短信验证码')}
        value={code}
        onChange={(event) => changeCode(event.target.value)}
        beside={
          <Button disabled={waiting} busy={busy === 'sending'} onClick={send}>
            {waiting ? t('重新发送({{seconds}})', { seconds: countdown.seconds }) : t('发送验证码')}
          </Button>
        }
      />
      <Button type="submit" look="primary" wide busy={busy === 'entering'}>
        {busy === 'entering' ? t('正在登录…') : t('登录')}
      </Button>
      {requested && <DeviceRequested />}
    </form>
  )
}

interface PhoneProps {
  readonly value: string
  readonly fault: string | null
  readonly onChange: (typed: string) => void
  readonly onLeave: () => void
}

function PhoneField({ value, fault, onChange, onLeave }: PhoneProps): ReactNode {
  return (
    <Field
      label={t('手机号')}
      error={shown(fault)}
      type="tel"
      name="phone"
      inputMode="numeric"
      autoComplete="tel-national"
      maxLength={phoneLength}
      placeholder={t('请输入手机号')}
      value={value}
      onChange={(event) => onChange(event.target.value.trim())}
      onBlur={onLeave}
    />
  )
}

const DeviceRequested = () => (
  <output className="login-requested">
    {t('已向管理员提交当前设备的授权申请。管理员授权后，请在此设备上重新登录。')}
  </output>
)
