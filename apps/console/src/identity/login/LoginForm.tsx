import { useEffect, useRef, useState, type FormEvent, type ReactNode, type RefObject } from 'react'
import { phoneLength, smsCountdownSeconds } from '@saddle/contract/constants.ts'
import { dateTime } from '#kit/format.ts'
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
/** When another code may be asked for. */
function waitOf(error: unknown): string | null {
  const seconds = error instanceof LoginError ? error.retryAfterS : null
  return seconds === null ? null : t('{{time}} 后可再试', { time: dateTime(Date.now() + seconds * 1_000).slice(5, 16) })
}
const shown = (fault: string | null): string | null => (fault === null ? null : t(fault))

/** A field that has the cursor from the start, where keys on the screen would not cover half of the page. */
function useFocused(): RefObject<HTMLInputElement | null> {
  const field = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (!(navigator.maxTouchPoints > 0)) field.current?.focus()
  }, [])
  return field
}

/** Phone, code, and the texts of section 8. */
export function LoginForm({ onLoggedIn }: Props): ReactNode {
  const [phone, setPhone] = useState('')
  const [code, setCode] = useState('')
  const [faults, setFaults] = useState<Faults>(noFaults)
  const [busy, setBusy] = useState<'sending' | 'entering' | null>(null)
  const [requested, setRequested] = useState(false)
  const countdown = useCountdown()
  const codeInput = useRef<HTMLInputElement>(null)
  /** The phone whose first whole code was sent by itself. */
  const sentCode = useRef<string | null>(null)
  const phoneInput = useFocused()

  async function sendTo(number: string): Promise<void> {
    setBusy('sending')
    try {
      await sendCode(number)
      countdown.start(smsCountdownSeconds)
      notify.success({ text: t('短信发送成功') })
      codeInput.current?.focus()
    } catch (error) {
      const wait = waitOf(error)
      notify.error(wait === null ? { title: t('错误'), text: words(error) } : { title: words(error), text: wait })
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

  async function enter(typed: string): Promise<void> {
    if (busy !== null) return
    const found: Faults = { phone: phoneFault(phone), code: codeFault(typed) }
    setFaults(found)
    if (found.phone !== null || found.code !== null) return
    setBusy('entering')
    setRequested(false)
    try {
      await login({ phone, code: typed, onVerified: () => notify.success({ text: t('短信验证成功') }) })
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
    // The last digit says that the code is whole; a wrong one is corrected by hand and sent by the button.
    if (fault !== null || codeFault(value) !== null || sentCode.current === phone || phoneFault(phone) !== null) return
    sentCode.current = phone
    void enter(value)
  }

  const waiting = countdown.seconds > 0
  return (
    <form
      className="login-form"
      noValidate
      onSubmit={(event: FormEvent) => {
        event.preventDefault()
        void enter(code)
      }}
    >
      <PhoneField
        field={phoneInput}
        value={phone}
        fault={faults.phone}
        onChange={(typed) => {
          setPhone(typed)
          setFaults({ ...faults, phone: null })
        }}
        onLeave={() => phone !== '' && setFaults({ ...faults, phone: phoneFault(phone) })}
      />
      <CodeField field={codeInput} value={code} fault={faults.code} onChange={changeCode}>
        <Button disabled={waiting} busy={busy === 'sending'} onClick={send}>
          {waiting ? t('重新发送({{seconds}})', { seconds: countdown.seconds }) : t('发送验证码')}
        </Button>
      </CodeField>
      <Button type="submit" look="primary" wide busy={busy === 'entering'}>
        {busy === 'entering' ? t('正在登录…') : t('登录')}
      </Button>
      {requested && <DeviceRequested />}
    </form>
  )
}

interface CodeProps {
  readonly field: RefObject<HTMLInputElement | null>
  readonly value: string
  readonly fault: string | null
  readonly onChange: (typed: string) => void
  /** The button that sends a code. */
  readonly children: ReactNode
}

function CodeField({ field, value, fault, onChange, children }: CodeProps): ReactNode {
  return (
    <Field
      label={t('验证码')}
      error={shown(fault)}
      ref={field}
      type="text"
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={6}
      placeholder={t('6 位短信验证码')}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      beside={children}
    />
  )
}

interface PhoneProps {
  readonly field: RefObject<HTMLInputElement | null>
  readonly value: string
  readonly fault: string | null
  readonly onChange: (typed: string) => void
  readonly onLeave: () => void
}

function PhoneField({ field, value, fault, onChange, onLeave }: PhoneProps): ReactNode {
  return (
    <Field
      label={t('手机号')}
      error={shown(fault)}
      ref={field}
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
