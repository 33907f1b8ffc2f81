import type { ReactNode } from 'react'
import { mdsAgencyEndpoints } from '@saddle/contract/feeds/agency.ts'
import { jurisdictionEndpoints, type Jurisdiction } from '@saddle/contract/feeds/mds.ts'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { text } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'

const stale = [jurisdictionEndpoints.listJurisdictions]

interface Props {
  readonly jurisdiction: Jurisdiction
  readonly onClose: () => void
}

export function SaveAgency({ jurisdiction, onClose }: Props): ReactNode {
  const { id, name, agency } = jurisdiction
  const version = agency?.version ?? 0
  return (
    <FormDialog
      title={t('向“{{name}}”推送', { name })}
      call={mdsAgencyEndpoints.saveMdsAgency}
      about={`${id} ${version}`}
      submit={t('保存')}
      stale={stale}
      done={() => t('已保存，车辆随后开始登记')}
      onClose={onClose}
      fields={{
        url: text({
          label: t('接口地址'),
          type: 'url',
          placeholder: 'https://',
          initial: agency?.url ?? '',
          hint: t('城市的 MDS Agency 地址，其下有 /vehicles、/events、/trips 与 /telemetry'),
          refusals: ['webhook_address', 'webhook_private'],
        }),
        token: text({
          label: t('令牌'),
          type: 'password',
          autoComplete: 'off',
          isOptional: true,
          note: agency === null ? '' : t('留空则沿用现有令牌'),
          hint: t('由城市发给本公司，加密保存，不再显示'),
          refusals: ['mds_token_required'],
        }),
      }}
      input={(typed) => ({ jurisdictionId: id, version, ...typed })}
    >
      <p>{t('此后辖区内车辆的登记、事件、行程与轨迹将推送给城市；城市没有收下的，在一天之内重试。')}</p>
    </FormDialog>
  )
}

export function StopAgency({ jurisdiction, onClose }: Props): ReactNode {
  const { id, name, agency } = jurisdiction
  return (
    <FormDialog
      title={t('停止向“{{name}}”推送', { name })}
      call={mdsAgencyEndpoints.removeMdsAgency}
      about={String(id)}
      submit={t('停止推送')}
      stale={stale}
      done={() => t('已停止')}
      onClose={onClose}
      fields={{}}
      input={() => ({ jurisdictionId: id, version: agency?.version ?? 0 })}
    >
      <p>{t('没有送达的记录一并删除；城市仍可用凭据读取。')}</p>
    </FormDialog>
  )
}
