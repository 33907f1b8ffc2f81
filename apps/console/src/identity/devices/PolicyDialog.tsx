import type { ReactNode } from 'react'
import { approvableDays, operatorDeviceEndpoints } from '@saddle/contract/identity/devices.ts'
import { companyEndpoints, type AgentNode } from '@saddle/contract/organisation/companies.ts'
import { choice } from '#kit/form/choiceFields.tsx'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'

interface Props {
  readonly company: AgentNode
  readonly onClose: () => void
}

const { devicePermission, devicePolicyEffect, deviceAuthorizeInfo } = operatorDeviceEndpoints
const stale = [companyEndpoints.agentTree, deviceAuthorizeInfo, devicePolicyEffect]

/** Turns the approval of devices on or off, after showing whom it keeps out; the message that follows reverses it. */
export default function PolicyDialog({ company, onClose }: Props): ReactNode {
  return company.devicePolicy === 'approval' ? (
    <TurnOff company={company} onClose={onClose} />
  ) : (
    <TurnOn company={company} onClose={onClose} />
  )
}

function TurnOff({ company, onClose }: Props) {
  const agentId = company.id
  return (
    <FormDialog
      title={t('关闭“{{company}}”的设备授权', { company: company.company })}
      call={devicePermission}
      about={agentId}
      fields={{}}
      input={() => ({ agentId, policy: 'open' as const })}
      submit={t('关闭设备授权')}
      stale={stale}
      done={() => t('已改为任何设备均可登录')}
      undo={() => ({ agentId, policy: 'approval' as const })}
      onClose={onClose}
    >
      <p>{t('关闭后，该公司的人员可用任何设备登录。')}</p>
    </FormDialog>
  )
}

function TurnOn({ company, onClose }: Props) {
  const agentId = company.id
  const { data } = useEndpoint(devicePolicyEffect, { agentId }, { staleMs: 0 })
  const effect = data?.data
  const textOf = (days: number): string => {
    if (effect === undefined) return ''
    if (days === 0) return t('其余设备下次登录须申请')
    const found = effect.recent.find((one) => one.days === days) ?? { devices: 0, people: 0 }
    return t('授权 {{devices}} 台设备，{{people}} 人；其余 {{left}} 台下次登录须申请', {
      devices: found.devices,
      people: found.people,
      left: effect.devices - found.devices,
    })
  }
  return (
    <FormDialog
      title={t('开启“{{company}}”的设备授权', { company: company.company })}
      call={devicePermission}
      about={agentId}
      fields={{
        approveRecentDays: choice<number>({
          label: t('开启时授权的设备'),
          initial: approvableDays[0],
          options: approvableDays.map((days) => ({
            value: days,
            label: days === 0 ? t('仅当前设备') : t('近 {{count}} 天用过的设备', { count: days }),
            text: textOf(days),
          })),
        }),
      }}
      input={({ approveRecentDays }) => ({ agentId, policy: 'approval' as const, approveRecentDays })}
      blocked={effect === undefined ? t('正在读取受影响的设备') : null}
      submit={t('开启设备授权')}
      stale={stale}
      done={({ data: { approved } }) => t('已开启设备授权，{{count}} 台设备获得授权', { count: approved })}
      undo={() => ({ agentId, policy: 'open' as const })}
      undone={() => t('已改为任何设备均可登录')}
      onClose={onClose}
    >
      <p>{t('开启后，只有已授权的设备可以登录。正在进行的会话不受影响。')}</p>
      {effect !== undefined && (
        <p>
          {t('现有 {{devices}} 台未授权的设备，涉及 {{people}} 人。', {
            devices: effect.devices,
            people: effect.people,
          })}
        </p>
      )}
    </FormDialog>
  )
}
