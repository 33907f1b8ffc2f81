import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { isRoutePermitted } from '@saddle/contract/menu.ts'
import { agentEndpoints } from '@saddle/contract/organisation/agents.ts'
import {
  settingEndpoints,
  settingSourceLabels,
  type SettingSource,
  type ShownSetting,
} from '@saddle/contract/settings/choices.ts'
import { settingGroupLabels, settingGroups, settingOf } from '@saddle/contract/settings/registry.ts'
import { useAction } from '#kit/action/useAction.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { One } from '#kit/list/Choices.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { usePermissions } from '#kit/session/permissions.ts'
import { useScope } from '#kit/session/scope.ts'
import { Mark, type Tone } from '#kit/ui/Mark.tsx'
import { ErrorState, Loading } from '#kit/ui/states.tsx'
import type { Place } from './place.ts'
import { SettingForm } from './SettingForm.tsx'
import { SettingHistory } from './SettingHistory.tsx'
import { valueText } from './valueText.ts'
import '#kit/list/filter.css'
import '#kit/list/list.css'
import './settings.css'

const tones: Readonly<Record<SettingSource, Tone>> = { area: 'info', company: 'info', above: 'off', default: 'off' }

/** Settings that have pages of their own. */
const elsewhere = [
  ['/backend/message-config', '通知规则、免打扰时段与每日上限'],
  ['/backend/notice-template', '通知的文字'],
  ['/marketing/deposit-config', '押金金额与免押'],
  ['/backend/repair-config', '故障原因、配件与任务报酬'],
  ['/data/area-management', '任务时限与责任人'],
  ['/data/operation-tasks', '任务规则：闲置时间与电量'],
  ['/marketing/charging-config', '骑行价格与封顶'],
  ['/report/financial-statistics', '报表的营业日：时区与起始钟点'],
  ['/production/voltage-scheme', '电压与电量的换算'],
  ['/financial/AccountManager', '提现限额与复核'],
  ['/financial/SubAccountRule', '分账规则与对账周期'],
  ['/agent/account-management', '品牌、布局与登录设备'],
] as const

/** Every setting that a company or area may choose: what counts, where it comes from, who changed it, and undo. */
export default function SystemConfigPage(): ReactNode {
  const { selection } = useScope()
  const [only, ...others] = selection.agentIds ?? []
  const chosen = others.length === 0 ? only : undefined
  const [asked, setAgentId] = useState<number | undefined>()
  const [areaId, setAreaId] = useState<number | undefined>()
  const agentId = chosen ?? asked
  const { data: companies } = useEndpoint(agentEndpoints.listAgentAccounts, {}, { staleMs: 300_000, quiet: true })
  const { data, error, refetch } = useEndpoint(settingEndpoints.systemSettings, {
    ...(agentId !== undefined && { agentId }),
    ...(areaId !== undefined && { areaId }),
  })
  const options = (companies?.data.rows ?? []).map((row) => ({ value: row.agentId, label: row.company }))
  const shown = data?.data
  const areas = (shown?.areas ?? []).map(({ id, name }) => ({ value: id, label: name }))
  return (
    <div className="page">
      <header className="page-head setting-head">
        <h1>{t('系统配置')}</h1>
        {chosen === undefined && options.length > 1 && (
          <One
            label={t('加盟商（默认本公司）')}
            value={agentId}
            options={options}
            onChange={(id) => {
              setAreaId(undefined)
              setAgentId(id)
            }}
          />
        )}
        {areas.length > 0 && (
          <One label={t('服务区（默认整个公司）')} value={areaId} options={areas} onChange={setAreaId} />
        )}
      </header>
      {shown === undefined && error === null && <Loading />}
      {shown === undefined && error !== null && <ErrorState error={error} onRetry={() => void refetch()} />}
      {shown !== undefined && (
        <Groups
          key={`${shown.agentId} ${shown.areaId ?? ''}`}
          place={{ agentId: shown.agentId, ...(shown.areaId !== null && { areaId: shown.areaId }) }}
          settings={shown.settings}
        />
      )}
      <Elsewhere />
    </div>
  )
}

function Groups({ place, settings }: { readonly place: Place; readonly settings: readonly ShownSetting[] }): ReactNode {
  return settingGroups
    .map((group) => ({ group, own: settings.filter(({ code }) => settingOf(code).group === group) }))
    .filter(({ own }) => own.length > 0)
    .map(({ group, own }) => (
      <section key={group} className="page-card setting-group" aria-label={t(settingGroupLabels[group])}>
        <h2>{t(settingGroupLabels[group])}</h2>
        {own.map((shown) => (
          <Row key={shown.code} place={place} shown={shown} />
        ))}
      </section>
    ))
}

function Row({ place, shown }: { readonly place: Place; readonly shown: ShownSetting }): ReactNode {
  const [isOpen, setOpen] = useState<'form' | 'history' | null>(null)
  const { code, value, source, own, version } = shown
  const setting = settingOf(code)
  const reset = useAction(settingEndpoints.changeSetting, {
    stale: [settingEndpoints.systemSettings, settingEndpoints.settingHistory],
    done: () => t('已沿用上一级的值'),
    undo: (answer, input) => ({ ...input, value: answer.data.previous, version: answer.data.version }),
  })
  return (
    <article className="setting-row">
      <div>
        <strong>{t(setting.title)}</strong>
        <small>{t(setting.effect)}</small>
      </div>
      <div>
        <span className="setting-value">{valueText(code, value)}</span>
        <small>
          <Mark tone={tones[source]}>{t(settingSourceLabels[source])}</Mark>
          {setting.kind === 'number' &&
            t('{{min}}–{{max}}，默认 {{usual}}', { min: setting.min, max: setting.max, usual: setting.usual })}
        </small>
        {shown.changedAt !== null && (
          <small>{t('{{name}} 于 {{at}} 设置', { name: shown.changedBy ?? '', at: dateTime(shown.changedAt) })}</small>
        )}
      </div>
      <span className="setting-buttons">
        <Button look="quiet" onClick={() => setOpen('form')}>
          {t('修改')}
        </Button>
        {own !== null && (
          <Button
            look="quiet"
            disabled={reset.isBusy}
            onClick={() => reset.send({ ...place, code, value: null, version })}
          >
            {t('沿用上一级')}
          </Button>
        )}
        {version > 0 && (
          <Button look="quiet" onClick={() => setOpen('history')}>
            {t('变更记录')}
          </Button>
        )}
      </span>
      {isOpen === 'form' && <SettingForm place={place} shown={shown} onClose={() => setOpen(null)} />}
      {isOpen === 'history' && (
        <SettingHistory place={place} code={code} version={version} onClose={() => setOpen(null)} />
      )}
    </article>
  )
}

function Elsewhere(): ReactNode {
  const { held } = usePermissions()
  const links = elsewhere.filter(([path]) => isRoutePermitted(path, held))
  return (
    <section className="page-card setting-group" aria-label={t('其他配置')}>
      <h2>{t('其他配置')}</h2>
      <ul className="setting-links">
        {links.map(([path, label]) => (
          <li key={path}>
            <Link to={path}>{t(label)}</Link>
          </li>
        ))}
      </ul>
    </section>
  )
}
