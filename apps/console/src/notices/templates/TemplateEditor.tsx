import { useState, type ReactNode } from 'react'
import { noticeEvent } from '@saddle/contract/notices/events.ts'
import { noticeSourceLabels } from '@saddle/contract/notices/config.ts'
import { noticeTemplateEndpoints, type NoticeTemplate } from '@saddle/contract/notices/templates.ts'
import { useAction } from '#kit/action/useAction.ts'
import { wordsOf } from '#kit/api/error.ts'
import { Form } from '#kit/form/Form.tsx'
import { longText, text } from '#kit/form/textFields.tsx'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { PhoneCard, PhoneFrame } from '#kit/ui/PhoneFrame.tsx'
import { useLater } from '#kit/useLater.ts'

interface Props {
  readonly agentId: number
  readonly template: NoticeTemplate
}

const stale = [noticeTemplateEndpoints.noticeTemplates, noticeTemplateEndpoints.noticeTemplateVersions]

/** The text of one event, channel and language, with what it would say now, its versions and a test. */
export function TemplateEditor({ agentId, template }: Props): ReactNode {
  const { event, channel, language, version, source } = template
  const which = { agentId, event, channel, language }
  const variables = Object.entries(noticeEvent(event).variables)
  const reset = useAction(noticeTemplateEndpoints.resetNoticeTemplate, {
    stale,
    done: () => t('已恢复为上级或平台的文字'),
  })
  return (
    <>
      <p className="notice-source">
        {t(noticeSourceLabels[source])}
        {template.madeAt !== null &&
          ` · ${t('{{name}} 于 {{at}} 设置', { name: template.madeBy ?? '', at: dateTime(template.madeAt) })}`}
        {source === 'own' && (
          <Button look="quiet" disabled={reset.isBusy} onClick={() => reset.send({ ...which, version })}>
            {t('恢复默认')}
          </Button>
        )}
      </p>
      <dl className="notice-variables">
        {variables.map(([name, { title }]) => (
          <div key={name}>
            <dt>
              <code>{`{{${name}}}`}</code>
            </dt>
            <dd>{t(title)}</dd>
          </div>
        ))}
      </dl>
      <Form
        call={noticeTemplateEndpoints.saveNoticeTemplate}
        about={`${agentId} ${event} ${channel} ${language}`}
        fields={{
          title: text({ label: t('标题'), initial: template.title }),
          body: longText({
            label: t('内容'),
            initial: template.body,
            rows: 4,
            hint: channel === 'sms' ? t('短信只发标题') : t('用双花括号引用上面的变量'),
            refusals: ['unknown_field'],
          }),
        }}
        input={(words) => ({ ...which, ...words, version })}
        submit={t('保存新版本')}
        stale={stale}
        done={() => t('已保存，对之后的通知生效')}
      >
        {({ title, body }) => <Preview which={which} title={title} body={body} />}
      </Form>
      <Versions which={which} />
    </>
  )
}

type Which = Pick<NoticeTemplate, 'event' | 'channel' | 'language'> & { readonly agentId: number }

function Preview({ which, title, body }: { readonly which: Which; readonly title: string; readonly body: string }) {
  const words = useLater(`${title}\n${body}`).split('\n')
  const [head = '', ...rest] = words
  const input = { ...which, title: head.trim(), body: rest.join('\n').trim() }
  const isWhole = input.title !== '' && input.body !== ''
  const { data, error } = useEndpoint(noticeTemplateEndpoints.previewNotice, input, {
    enabled: isWhole,
    keepPrevious: true,
    quiet: true,
  })
  const test = useAction(noticeTemplateEndpoints.testNotice, { done: () => t('已发送给您，请查收') })
  const shown = data?.data
  return (
    <div className="notice-preview">
      <PhoneFrame label={t('预览')} lang={which.language}>
        {shown !== undefined && <PhoneCard title={shown.title} lines={[shown.body]} />}
        {error !== null && <p role="alert">{wordsOf(error)}</p>}
      </PhoneFrame>
      <p className="notice-hint">
        {shown?.isReal === true && shown.at !== null
          ? t('用 {{at}} 的真实事项预览', { at: dateTime(shown.at) })
          : t('还没有发生过，用示例预览')}
      </p>
      <Button disabled={!isWhole || error !== null || test.isBusy} onClick={() => test.send(input)}>
        {t('测试发送给我')}
      </Button>
    </div>
  )
}

function Versions({ which }: { readonly which: Which }): ReactNode {
  const [isOpen, setOpen] = useState(false)
  const { data } = useEndpoint(noticeTemplateEndpoints.noticeTemplateVersions, which, { enabled: isOpen })
  const versions = data?.data.versions
  return (
    <details className="notice-versions" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{t('历史版本')}</summary>
      {versions?.length === 0 && <p>{t('还没有改过')}</p>}
      <ol>
        {versions?.map((one) => (
          <li key={one.version}>
            <small>
              {t('第 {{version}} 版', { version: one.version })} · {one.madeBy} · {dateTime(one.madeAt)}
            </small>
            <strong>{one.title ?? t('恢复默认')}</strong>
            {one.body !== null && <span>{one.body}</span>}
          </li>
        ))}
      </ol>
    </details>
  )
}
