import { useState, type ReactNode } from 'react'
import { selfEndpoints } from '@saddle/contract/identity/self.ts'
import { noticeKindLabels, noticeKinds } from '@saddle/contract/notices/words.ts'
import { useAction } from '#kit/action/useAction.ts'
import { setLanguage, t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import type { Own } from './own.ts'

type Values = Own['settings']

/** Switches to the chosen language and confirms in it. */
async function follow(language: Values['language'] | null): Promise<void> {
  if (language !== null) await setLanguage(language).catch(() => null)
  notify.success({ text: t('设置已保存') })
}

/** Language and notifications; each change is saved at once. */
export function Settings({ settings }: { readonly settings: Values }): ReactNode {
  const [chosen, setChosen] = useState(settings)
  const save = useAction(selfEndpoints.saveSelfSettings, {
    stale: [selfEndpoints.selfSettings],
    // Other settings must not reset a language chosen for this browser only.
    onDone: ({ data }) => void follow(data.language === settings.language ? null : data.language),
  })
  // The choice is shown at once and reverted if it is rejected.
  const shown: Values = save.isBusy ? chosen : settings
  const change = (values: Partial<Values>): void => {
    const next = { ...settings, ...values }
    setChosen(next)
    save.send(next)
  }
  const toggle = (kind: Values['notices'][number], isOn: boolean): void =>
    change({ notices: isOn ? [...settings.notices, kind] : settings.notices.filter((held) => held !== kind) })
  return (
    <section className="page-card account-card" aria-labelledby="account-settings" aria-busy={save.isBusy}>
      <header>
        <h2 id="account-settings">{t('通知与语言')}</h2>
      </header>
      <fieldset className="account-choices" disabled={save.isBusy}>
        <legend>{t('首页提醒我')}</legend>
        {noticeKinds.map((kind) => (
          <label key={kind}>
            <input
              type="checkbox"
              checked={shown.notices.includes(kind)}
              disabled={kind === 'security'}
              onChange={(event) => toggle(kind, event.target.checked)}
            />
            {t(noticeKindLabels[kind])}
            {kind === 'security' && <small>{t('始终提醒')}</small>}
          </label>
        ))}
      </fieldset>
      <fieldset className="account-choices" disabled={save.isBusy}>
        <legend>{t('界面语言')}</legend>
        {(['zh', 'en'] as const).map((language) => (
          <label key={language}>
            <input
              type="radio"
              name="language"
              checked={shown.language === language}
              onChange={() => change({ language })}
            />
            {/* Each language is offered under its own name. */}
            <span lang={language}>{language === 'en' ? 'English' : '中文'}</span>
          </label>
        ))}
      </fieldset>
    </section>
  )
}
