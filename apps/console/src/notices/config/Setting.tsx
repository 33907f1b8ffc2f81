import { useState, type ReactNode } from 'react'
import {
  channelStateLabels,
  noticeConfigEndpoints,
  noticeSourceLabels,
  type ChannelState,
  type NoticeSetting,
} from '@saddle/contract/notices/config.ts'
import { noticeChannelLabels } from '@saddle/contract/notices/words.ts'
import { Form } from '#kit/form/Form.tsx'
import { number, text } from '#kit/form/textFields.tsx'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'
import { Facts } from '#kit/ui/Facts.tsx'
import { Mark, type Tone } from '#kit/ui/Mark.tsx'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import { clockText, minuteOfDay } from './minuteOfDay.ts'

const tones: Readonly<Record<ChannelState, Tone>> = { on: 'good', sandbox: 'info', off: 'off' }

/** Quiet hours, caps and the webhook of a company, and which channels the platform has. */
export function Setting({ agentId: asked }: { readonly agentId: number | undefined }): ReactNode {
  const { data, error, refetch } = useEndpoint(
    noticeConfigEndpoints.noticeSetting,
    asked === undefined ? {} : { agentId: asked },
  )
  const [secret, setSecret] = useState<string | null>(null)
  if (data === undefined)
    return error === null ? <Loading /> : <ErrorState error={error} onRetry={() => void refetch()} />
  const now = data.data
  return (
    <div className="notice-setting">
      <section className="page-card" aria-label={t('设置')}>
        <p className="notice-source">
          {t(noticeSourceLabels[now.source])}
          {now.changedAt !== null &&
            ` · ${t('{{name}} 于 {{at}} 设置', { name: now.changedBy ?? '', at: dateTime(now.changedAt) })}`}
        </p>
        <SettingForm key={`${now.agentId} ${now.version}`} now={now} onSecret={setSecret} />
        {secret !== null && (
          <output className="notice-secret">
            {t('签名密钥只显示这一次，请保存到接收方：')}
            <code>{secret}</code>
          </output>
        )}
      </section>
      <section className="page-card" aria-label={t('渠道')}>
        <h2>{t('渠道')}</h2>
        <Facts
          facts={now.channels.map(({ channel, state }) => [
            t(noticeChannelLabels[channel]),
            <Mark key={channel} tone={tones[state]}>
              {t(channelStateLabels[state])}
            </Mark>,
          ])}
        />
        <p className="notice-hint">{t('渠道由平台统一配置。演示信箱表示消息只写入服务器的演示信箱，不会真正发出。')}</p>
      </section>
    </div>
  )
}

function SettingForm({
  now,
  onSecret,
}: {
  readonly now: NoticeSetting
  readonly onSecret: (value: string | null) => void
}) {
  return (
    <Form
      call={noticeConfigEndpoints.saveNoticeSetting}
      about={now.agentId}
      fields={{
        quietFrom: minuteOfDay({
          label: t('免打扰开始'),
          initial: clockText(now.quietFrom),
          hint: t('开始与结束相同表示不设免打扰'),
        }),
        quietTo: minuteOfDay({ label: t('免打扰结束'), initial: clockText(now.quietTo) }),
        emailCap: number({ label: t('每人每日邮件上限'), unit: t('封'), initial: now.emailCap }),
        smsCap: number({ label: t('每人每日短信上限'), unit: t('条'), initial: now.smsCap }),
        pushCap: number({ label: t('每人每日推送上限'), unit: t('条'), initial: now.pushCap }),
        webhookUrl: text({
          label: t('Webhook 地址'),
          isOptional: true,
          type: 'url',
          placeholder: 'https://',
          hint: t('选择了 Webhook 渠道的通知以签名的 JSON 发到这里；更换地址会生成新的密钥'),
          initial: now.webhookUrl ?? '',
          refusals: ['webhook_address', 'webhook_private'],
        }),
      }}
      input={({ webhookUrl, ...chosen }) => ({
        agentId: now.agentId,
        version: now.version,
        ...chosen,
        webhookUrl: webhookUrl ?? null,
      })}
      submit={t('保存设置')}
      stale={[noticeConfigEndpoints.noticeSetting]}
      done={() => t('已保存，对之后的通知生效')}
      onDone={(answer) => onSecret(answer.data.webhookSecret)}
    />
  )
}
