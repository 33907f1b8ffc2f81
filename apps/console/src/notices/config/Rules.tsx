import { useState, type ReactNode } from 'react'
import { noticeConfigEndpoints, noticeSourceLabels, type NoticeRule } from '@saddle/contract/notices/config.ts'
import { noticeEvent, noticeEventLabels } from '@saddle/contract/notices/events.ts'
import { noticeChannelLabels, noticeChannels, noticeKindLabels, noticeKinds } from '@saddle/contract/notices/words.ts'
import { permissionTree } from '@saddle/contract/permissions.ts'
import { useAction } from '#kit/action/useAction.ts'
import { checks, choice, many } from '#kit/form/choiceFields.tsx'
import { FormDrawer } from '#kit/form/FormDialog.tsx'
import { number } from '#kit/form/textFields.tsx'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Mark } from '#kit/ui/Mark.tsx'
import { ErrorState, Loading } from '#kit/ui/states.tsx'

interface Role {
  readonly id: number
  readonly name: string
}

const stale = [noticeConfigEndpoints.noticeRules]

/** Of what a company tells its staff, by which channels and whom: one row per event, by kind. */
export function Rules({ agentId: asked }: { readonly agentId: number | undefined }): ReactNode {
  const { data, error, refetch } = useEndpoint(
    noticeConfigEndpoints.noticeRules,
    asked === undefined ? {} : { agentId: asked },
  )
  const [changed, setChanged] = useState<NoticeRule | null>(null)
  const reset = useAction(noticeConfigEndpoints.resetNoticeRule, { stale, done: () => t('已沿用上级或平台的规则') })
  if (data === undefined)
    return error === null ? <Loading /> : <ErrorState error={error} onRetry={() => void refetch()} />
  const { agentId, rules, roles } = data.data
  return (
    <>
      {noticeKinds
        .map((kind) => ({ kind, own: rules.filter((rule) => rule.kind === kind) }))
        .filter(({ own }) => own.length > 0)
        .map(({ kind, own }) => (
          <section key={kind} className="page-card notice-rules" aria-label={t(noticeKindLabels[kind])}>
            <h2>{t(noticeKindLabels[kind])}</h2>
            <ul>
              {own.map((rule) => (
                <li key={rule.event}>
                  <span className="notice-what">
                    <strong>{t(noticeEventLabels[rule.event])}</strong>
                    <small>{whoOf(rule, roles)}</small>
                  </span>
                  <span className="notice-channels">
                    {rule.channels.length === 0 && <Mark tone="off">{t('不通知')}</Mark>}
                    {rule.channels.map((channel) => (
                      <Mark key={channel} tone="info">
                        {t(noticeChannelLabels[channel])}
                      </Mark>
                    ))}
                    {rule.isUrgent && <Mark tone="warn">{t('紧急')}</Mark>}
                  </span>
                  <small className="notice-source">
                    {t(noticeSourceLabels[rule.source])}
                    {rule.changedAt !== null &&
                      ` · ${t('{{name}} 于 {{at}} 设置', { name: rule.changedBy ?? '', at: dateTime(rule.changedAt) })}`}
                  </small>
                  <span className="notice-buttons">
                    <Button look="quiet" onClick={() => setChanged(rule)}>
                      {t('修改')}
                    </Button>
                    {rule.source === 'own' && (
                      <Button
                        look="quiet"
                        disabled={reset.isBusy}
                        onClick={() => reset.send({ agentId, event: rule.event, version: rule.version })}
                      >
                        {t('恢复默认')}
                      </Button>
                    )}
                  </span>
                </li>
              ))}
            </ul>
          </section>
        ))}
      {changed !== null && (
        <RuleForm key={changed.event} agentId={agentId} rule={changed} roles={roles} onClose={() => setChanged(null)} />
      )}
    </>
  )
}

/** Who hears of it, in a sentence. */
function whoOf({ event, roleIds }: NoticeRule, roles: readonly Role[]): string {
  const { to, permissions } = noticeEvent(event)
  if (to === 'named') return t('通知当事人')
  const titles = permissions.map((code) => t(permissionTree.find((row) => row.code === code)?.title ?? code))
  const codes = [...new Set(titles)].join(t('、'))
  if (to === 'above') return t('通知上级公司中有以下权限的人：{{codes}}', { codes })
  if (roleIds === null) return t('通知有以下权限的人：{{codes}}', { codes })
  const names = roles.filter(({ id }) => roleIds.includes(id)).map(({ name }) => name)
  return t('通知角色 {{roles}} 中有以下权限的人：{{codes}}', { roles: names.join(t('、')), codes })
}

interface FormProps {
  readonly agentId: number
  readonly rule: NoticeRule
  readonly roles: readonly Role[]
  readonly onClose: () => void
}

function RuleForm({ agentId, rule, roles, onClose }: FormProps): ReactNode {
  const { event, version } = rule
  return (
    <FormDrawer
      title={t(noticeEventLabels[event])}
      call={noticeConfigEndpoints.saveNoticeRule}
      about={`${agentId} ${event}`}
      fields={{
        channels: checks({
          label: t('渠道'),
          hint: t('都不选就不通知任何人'),
          initial: rule.channels,
          options: noticeChannels.map((channel) => ({ value: channel, label: t(noticeChannelLabels[channel]) })),
        }),
        roleIds: many({
          label: t('只通知这些角色'),
          note: t('选填'),
          hint: t('不选就通知所有有权限的人；只管部分服务区的人只收到自己区域的通知'),
          initial: rule.roleIds ?? [],
          options: roles.map(({ id, name }) => ({ value: id, label: name })),
        }),
        isUrgent: choice({
          label: t('免打扰时段'),
          initial: rule.isUrgent,
          options: [
            { value: false, label: t('等到结束再发') },
            { value: true, label: t('紧急，立即发送') },
          ],
        }),
        repeatMinutes: number({
          label: t('同一事项再次通知的间隔'),
          unit: t('分钟'),
          hint: t('间隔内只进站内消息，不再发邮件、短信和推送'),
          initial: rule.repeatMinutes,
        }),
      }}
      input={({ roleIds, ...chosen }) => ({
        agentId,
        event,
        version,
        ...chosen,
        roleIds: roleIds.length === 0 ? null : roleIds,
      })}
      submit={t('保存规则')}
      stale={stale}
      done={() => t('已保存，对之后的通知生效')}
      onClose={onClose}
    />
  )
}
