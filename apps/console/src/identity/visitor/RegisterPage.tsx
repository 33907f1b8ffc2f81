import { useState, type FormEvent, type ReactNode } from 'react'
import { Link, useNavigate } from 'react-router'
import { phoneLength } from '@saddle/contract/constants.ts'
import { applicationLimits, applicationEndpoints } from '@saddle/contract/organisation/applications.ts'
import { call, isApiError, wordsOf } from '#kit/api/client.ts'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { Button } from '#kit/plain/Button.tsx'
import { AreaField, Field } from '#kit/plain/Field.tsx'
import { useThrottledClick } from '#kit/ui/Throttled.tsx'
import { checkDraft, emptyDraft, type DraftFaults, type DraftField } from './application.ts'
import './visitor.css'

/** Franchise application. Input is kept when the server rejects it. */
export default function RegisterPage(): ReactNode {
  const navigate = useNavigate()
  const [draft, setDraft] = useState(emptyDraft)
  const [faults, setFaults] = useState<DraftFaults>({})
  const [busy, setBusy] = useState(false)
  const throttle = useThrottledClick<HTMLButtonElement>(() => {})

  async function apply(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault()
    if (busy) return
    const { application, faults: found } = checkDraft(draft)
    setFaults(found ?? {})
    if (application === null) {
      const [first] = Object.keys(found)
      if (first !== undefined) event.currentTarget.querySelector<HTMLElement>(`[name="${first}"]`)?.focus()
      return
    }
    setBusy(true)
    try {
      const { data } = await call(applicationEndpoints.applyToJoin, application, { quiet: true })
      await navigate('/register-result', { state: { applicationNumber: data.applicationNumber } })
    } catch (error) {
      const text = isApiError(error) ? wordsOf(error) : t('服务器开小差了，请稍后再试')
      notify.error({ title: t('提交失败'), text })
      setBusy(false)
    }
  }

  const bind = (name: DraftField) => ({
    name,
    value: draft[name],
    error: faults[name] === undefined ? null : t(faults[name]),
    onChange: (event: { target: { value: string } }) => {
      setDraft({ ...draft, [name]: event.target.value })
      setFaults({ ...faults, [name]: undefined })
    },
  })

  return (
    <>
      <header className="visitor-head">
        <h1>{t('申请加盟')}</h1>
        <p>{t('留下公司与联系人，平台审核后会与您电话联系。')}</p>
      </header>
      <form className="visitor-form" noValidate onSubmit={(event) => void apply(event)}>
        <Field
          {...bind('company')}
          label={t('公司名称')}
          autoComplete="organization"
          maxLength={applicationLimits.company}
        />
        <div className="visitor-pair">
          <Field {...bind('contact')} label={t('联系人')} autoComplete="name" maxLength={applicationLimits.contact} />
          <Field
            {...bind('phone')}
            label={t('手机号')}
            type="tel"
            inputMode="numeric"
            autoComplete="tel-national"
            maxLength={phoneLength}
          />
        </div>
        <div className="visitor-pair">
          <Field
            {...bind('city')}
            label={t('运营城市')}
            autoComplete="address-level2"
            maxLength={applicationLimits.city}
          />
          <Field {...bind('plannedVehicles')} label={t('计划投放（辆）')} inputMode="numeric" maxLength={7} />
        </div>
        <AreaField
          {...bind('remark')}
          label={t('备注')}
          optionalText={t('选填')}
          maxLength={applicationLimits.remark}
        />
        <Button type="submit" look="primary" wide busy={busy} onClick={throttle}>
          {busy ? t('正在提交…') : t('提交申请')}
        </Button>
      </form>
      <p className="visitor-foot">
        {t('已有账号？')} <Link to="/login">{t('去登录')}</Link>
      </p>
    </>
  )
}
