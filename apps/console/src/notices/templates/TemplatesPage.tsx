import { useState, type ReactNode } from 'react'
import type { Language } from '@saddle/contract/constants.ts'
import { noticeEvent, noticeEventLabels, type NoticeEventName } from '@saddle/contract/notices/events.ts'
import { noticeSourceLabels } from '@saddle/contract/notices/config.ts'
import { noticeTemplateEndpoints, type NoticeTemplate } from '@saddle/contract/notices/templates.ts'
import {
  noticeChannelLabels,
  noticeChannels,
  noticeKindLabels,
  noticeKinds,
  type NoticeKind,
  type NoticeChannel,
} from '@saddle/contract/notices/words.ts'
import { agentEndpoints } from '@saddle/contract/organisation/agents.ts'
import { t } from '#kit/i18n/index.ts'
import { One } from '#kit/list/Choices.tsx'
import { usePhone } from '#kit/list/usePhone.ts'
import { useEndpoint } from '#kit/query.ts'
import { Mark } from '#kit/ui/Mark.tsx'
import { SelectOne } from '#kit/ui/SelectOne.tsx'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { useChosenCompany } from '../useChosenCompany.ts'
import { TemplateEditor } from './TemplateEditor.tsx'
import '#kit/list/filter.css'
import '#kit/list/stateTabs.css'
import '#kit/list/list.css'
import '../notices.css'

const languageLabels = { zh: '中文', en: 'English' } as const

/** The words of notices of a company, by event, channel and language. */
export default function TemplatesPage(): ReactNode {
  const { chosen, agentId, choose } = useChosenCompany()
  const { data: companies } = useEndpoint(agentEndpoints.listAgentAccounts, {}, { staleMs: 300_000, quiet: true })
  const { data, error, refetch } = useEndpoint(
    noticeTemplateEndpoints.noticeTemplates,
    agentId === undefined ? {} : { agentId },
  )
  const options = (companies?.data.rows ?? []).map((row) => ({ value: row.agentId, label: row.company }))
  return (
    <div className="page">
      <header className="page-head notice-head">
        <h1>{t('通知模板')}</h1>
        {chosen === undefined && options.length > 1 && (
          <One label={t('加盟商（默认本公司）')} value={agentId} options={options} onChange={choose} />
        )}
      </header>
      {data === undefined && error === null && <Loading />}
      {data === undefined && error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {data !== undefined && <Templates agentId={data.data.agentId} templates={data.data.templates} />}
    </div>
  )
}

interface Props {
  readonly agentId: number
  readonly templates: readonly NoticeTemplate[]
}

function Templates({ agentId, templates }: Props): ReactNode {
  const [event, setEvent] = useState<NoticeEventName>('alarm_serious')
  const [channel, setChannel] = useState<NoticeChannel>('in_app')
  const [language, setLanguage] = useState<Language>('zh')
  const changed = new Set(templates.filter(({ source }) => source === 'own').map((one) => one.event))
  const now = templates.find((one) => one.event === event && one.channel === channel && one.language === language)
  const events = [...new Set(templates.map((one) => one.event))]
  const ofKind = (kind: NoticeKind) => events.filter((one) => noticeEvent(one).kind === kind)
  const isPhone = usePhone()
  return (
    <div className="notice-templates">
      {isPhone && (
        <SelectOne
          label={t('事项')}
          value={event}
          options={noticeKinds.flatMap((kind) =>
            ofKind(kind).map((one) => ({
              value: one,
              label: `${t(noticeKindLabels[kind])} · ${t(noticeEventLabels[one])}`,
            })),
          )}
          onChange={setEvent}
          isSearched
        />
      )}
      {!isPhone && (
        <nav className="page-card notice-events" aria-label={t('事项')}>
          {noticeKinds.map((kind) => {
            const own = ofKind(kind)
            if (own.length === 0) return null
            return (
              <section key={kind}>
                <h2>{t(noticeKindLabels[kind])}</h2>
                {own.map((one) => (
                  <button
                    key={one}
                    type="button"
                    aria-current={one === event ? 'page' : undefined}
                    onClick={() => setEvent(one)}
                  >
                    {t(noticeEventLabels[one])}
                    {changed.has(one) && <Mark tone="info">{t(noticeSourceLabels.own)}</Mark>}
                  </button>
                ))}
              </section>
            )
          })}
        </nav>
      )}
      <section className="page-card notice-editor">
        <h2>{t(noticeEventLabels[event])}</h2>
        <nav className="state-tabs" aria-label={t('渠道')}>
          {noticeChannels.map((one) => (
            <button
              key={one}
              type="button"
              aria-current={one === channel ? 'page' : undefined}
              onClick={() => setChannel(one)}
            >
              {t(noticeChannelLabels[one])}
            </button>
          ))}
        </nav>
        <nav className="state-tabs" aria-label={t('语言')}>
          {(['zh', 'en'] as const).map((one) => (
            <button
              key={one}
              type="button"
              lang={one}
              aria-current={one === language ? 'page' : undefined}
              onClick={() => setLanguage(one)}
            >
              {languageLabels[one]}
            </button>
          ))}
        </nav>
        {now !== undefined && (
          <TemplateEditor
            key={`${agentId} ${event} ${channel} ${language} ${now.version}`}
            agentId={agentId}
            template={now}
          />
        )}
      </section>
    </div>
  )
}
