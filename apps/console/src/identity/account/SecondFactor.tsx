import { useState, type ReactNode } from 'react'
import { selfEndpoints } from '@saddle/contract/identity/self.ts'
import { serverNow } from '#kit/clock.ts'
import { Form } from '#kit/form/Form.tsx'
import { text } from '#kit/form/textFields.tsx'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { TotpSetup } from '../factor/TotpSetup.tsx'
import type { Own } from './own.ts'

interface Props {
  readonly totp: Own['totp']
  readonly onChanged: () => void
}

const fewCodes = 3

/** The second factor: on or off, how many recovery codes are left, and what the company asks for. */
export function SecondFactor({ totp, onChanged }: Props): ReactNode {
  const [open, setOpen] = useState<'setup' | 'end' | null>(null)
  const isOn = totp.enabledAt !== null
  const isKept = totp.requiredFrom !== null && totp.requiredFrom <= serverNow()
  const close = (): void => {
    setOpen(null)
    onChanged()
  }
  return (
    <section className="page-card account-card" aria-labelledby="account-factor">
      <header>
        <h2 id="account-factor">{t('双因素验证')}</h2>
        <span className="account-state" data-on={isOn}>
          {isOn ? t('已开启') : t('未开启')}
        </span>
      </header>
      <p className="account-quiet">
        {isOn
          ? t('{{time}} 开启；登录时除短信验证码外，还需要动态验证码。', { time: dateTime(totp.enabledAt) })
          : t('开启后，登录时除短信验证码外，还需要身份验证器上的动态验证码。')}
      </p>
      {totp.requiredFrom !== null && (
        <p className="account-note">
          {t('您的公司要求财务人员自 {{time}} 起使用动态验证码。', { time: dateTime(totp.requiredFrom) })}
        </p>
      )}
      {isOn && (
        <p className={totp.recoveryCodesLeft < fewCodes ? 'account-note' : 'account-quiet'}>
          {t('剩余 {{count}} 个恢复码', { count: totp.recoveryCodesLeft })}
        </p>
      )}
      {open === null && !isOn && (
        <Button look="primary" onClick={() => setOpen('setup')}>
          {t('开启双因素验证')}
        </Button>
      )}
      {open === null && isOn && !isKept && <Button onClick={() => setOpen('end')}>{t('解除绑定')}</Button>}
      {open === 'setup' && <TotpSetup onDone={close} />}
      {open === 'end' && <End onEnded={onChanged} onClose={() => setOpen(null)} />}
    </section>
  )
}

function End({ onEnded, onClose }: { readonly onEnded: () => void; readonly onClose: () => void }): ReactNode {
  const code = text({
    label: t('动态验证码或恢复码'),
    autoComplete: 'one-time-code',
    isSecret: true,
    refusals: ['totp_invalid', 'totp_locked'],
  })
  return (
    <Form
      call={selfEndpoints.endTotp}
      about="own"
      fields={{ code }}
      input={(values) => values}
      submit={t('解除双因素验证')}
      done={() => t('双因素验证已解除')}
      onDone={onEnded}
      onClose={onClose}
    />
  )
}
