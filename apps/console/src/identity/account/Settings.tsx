import type { ReactNode } from 'react'
import { noticeKindLabels, noticeKinds, selfEndpoints } from '@saddle/contract/identity/self.ts'
import { setLanguage, t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { useEndpointMutation } from '#kit/query.ts'
import type { Own } from './own.ts'

type Values = Own['settings']

/** Switches to the chosen language and confirms in it. */
async function follow(language: Values['language'] | null): Promise<void> {
  if (language !== null) await setLanguage(language).catch(() => null)
  notify.success({ text: t('设置已保存') })
}

/** Language and notifications; each change is saved at once. */
export function Settings({ settings }: { readonly settings: Values }): ReactNode {
  const save = useEndpointMutation(selfEndpoints.saveSelfSettings, {
    invalidates: [selfEndpoints.selfSettings],
    // Other settings must not reset a language chosen for this browser only.
    onSuccess: ({ data }) => void follow(data.language === settings.language ? null : data.language),
  })
  // The choice is shown at once and reverted if it is rejected.
  const shown: Values = save.isPending ? save.variables.input : settings
  const change = (values: Partial<Values>): void => save.mutate({ input: { ...settings, ...values } })
  const toggle = (kind: Values['notices'][number], isOn: boolean): void =>
    change({ notices: isOn ? [...settings.notices, kind] : settings.notices.filter((held) => held !== kind) })
  return (
    <section className="page-card account-card" aria-labelledby="account-settings" aria-busy={save.isPending}>
      <header>
        <h2 id="account-settings">{t('通知与语言')}</h2>
      </header>
      <fieldset className="account-choices" disabled={save.isPending}>
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
      <fieldset className="account-choices" disabled={save.isPending}>
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
