import { useState, type FormEvent, type ReactNode } from 'react'
import { selfEndpoints } from '@saddle/contract/identity/self.ts'
import { call, isApiError, wordsOf, type AnswerOf } from '#kit/api/client.ts'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { Button } from '#kit/plain/Button.tsx'
import { Field } from '#kit/plain/Field.tsx'
import { QrCode } from '#kit/ui/QrCode.tsx'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import './factor.css'

type Begun = AnswerOf<typeof selfEndpoints.beginTotp>['data']

interface Props {
  /** Called when the user has saved the recovery codes. */
  readonly onDone: () => void
}

/** What went wrong, in the person's language. */
export const faultOf = (error: unknown): string => (isApiError(error) ? wordsOf(error) : t('网络出现问题，请稍后再试'))

/** Setting up a second factor: the secret, one code as proof, and the recovery codes. */
export function TotpSetup({ onDone }: Props): ReactNode {
  const [begun, setBegun] = useState<Begun | null>(null)
  const [recoveryCodes, setRecoveryCodes] = useState<readonly string[] | null>(null)
  const [busy, setBusy] = useState(false)

  async function begin(): Promise<void> {
    setBusy(true)
    try {
      const { data } = await call(selfEndpoints.beginTotp, {}, { quiet: true })
      setBegun(data)
    } catch (error) {
      notify.error({ title: t('错误'), text: faultOf(error) })
    } finally {
      setBusy(false)
    }
  }

  if (recoveryCodes !== null) return <RecoveryCodes codes={recoveryCodes} onKept={onDone} />
  if (begun !== null) return <Proof begun={begun} onProved={setRecoveryCodes} onAgain={() => setBegun(null)} />
  return (
    <div className="factor">
      <p>{t('手机上需要一个身份验证器，例如系统自带的密码 App、微信小程序中的验证器，或任意 TOTP 应用。')}</p>
      <Button look="primary" busy={busy} onClick={() => void begin()}>
        {t('开始绑定')}
      </Button>
    </div>
  )
}

interface ProofProps {
  readonly begun: Begun
  readonly onProved: (recoveryCodes: readonly string[]) => void
  readonly onAgain: () => void
}

function Proof({ begun, onProved, onAgain }: ProofProps): ReactNode {
  const [code, setCode] = useState('')
  const [fault, setFault] = useState<string | null>(null)
  const [busy, setBusy] = useState(false)

  async function prove(event: FormEvent): Promise<void> {
    event.preventDefault()
    if (busy) return
    if (!/^\d{6}$/.test(code)) return setFault(t('请输入 6 位动态验证码'))
    setBusy(true)
    try {
      const { data } = await call(selfEndpoints.confirmTotp, { code }, { quiet: true })
      onProved(data.recoveryCodes)
    } catch (error) {
      setFault(faultOf(error))
      setBusy(false)
    }
  }

  return (
    <form className="factor factor-proof" noValidate onSubmit={(event) => void prove(event)}>
      <QrCode text={begun.uri} label={t('绑定用的二维码')} />
      <div>
        <p>{t('用身份验证器扫描二维码；不方便扫码时，手动输入下面的密钥。')}</p>
        <p className="factor-secret">
          <code>{begun.secret.match(/.{1,4}/g)?.join(' ')}</code>
        </p>
        <Field
          label={t('动态验证码')}
          error={fault}
          type="text"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={6}
          placeholder={t('验证器上显示的 6 位数字')}
          value={code}
          onChange={(event) => {
            setCode(event.target.value.replaceAll(/\D/g, ''))
            setFault(null)
          }}
        />
        <div className="factor-actions">
          <Button type="submit" look="primary" busy={busy}>
            {t('确认绑定')}
          </Button>
          <Button look="quiet" onClick={onAgain}>
            {t('重新开始')}
          </Button>
        </div>
      </div>
    </form>
  )
}
