import { useState, type FormEvent, type ReactNode } from 'react'
import App from 'antd/es/app'
import { operatorDeviceEndpoints } from '@saddle/contract/identity/devices.ts'
import {
  devicePolicyLabels,
  franchiseEndpoints,
  type AgentNode,
  type DevicePolicy,
} from '@saddle/contract/organisation/franchise.ts'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint, useEndpointMutation } from '#kit/query.ts'
import { usePermissions } from '#kit/session/permissions.ts'
import { useSession } from '#kit/session/store.ts'

const recentDays = [0, 7, 30, 90] as const

/** Whether a company asks for approval, and who is let in without asking when it begins to. */
export function Policies(): ReactNode {
  const { held } = usePermissions()
  const own = useSession()?.agentId
  const { data } = useEndpoint(franchiseEndpoints.agentTree, {}, { quiet: true })
  const companies = data?.data.list.filter((one) => held.has(one.id === own ? '1002' : '1101')) ?? []
  const [chosenId, setChosenId] = useState<number | null>(null)
  const chosen = companies.find((one) => one.id === (chosenId ?? own)) ?? companies[0]
  if (chosen === undefined) return null
  return (
    <section className="page-card devices-policy" aria-label={t('设备策略')}>
      {companies.length > 1 ? (
        <label>
          {t('公司')}
          <select value={chosen.id} onChange={(event) => setChosenId(Number(event.target.value))}>
            {companies.map((one) => (
              <option key={one.id} value={one.id}>
                {one.company}
              </option>
            ))}
          </select>
        </label>
      ) : (
        <b>{chosen.company}</b>
      )}
      <span className="devices-state" data-state={chosen.devicePolicy === 'open' ? 'unknown' : 'approved'}>
        {t(devicePolicyLabels[chosen.devicePolicy])}
      </span>
      <Change key={`${chosen.id} ${chosen.devicePolicy}`} company={chosen} />
    </section>
  )
}

function Change({ company }: { readonly company: AgentNode }) {
  const { modal } = App.useApp()
  const [days, setDays] = useState(0)
  const save = useEndpointMutation(operatorDeviceEndpoints.devicePermission, {
    invalidates: [franchiseEndpoints.agentTree, operatorDeviceEndpoints.deviceAuthorizeInfo],
    onSuccess: ({ data }) =>
      notify.success({
        text:
          data.policy === 'open'
            ? t('已改为任何设备均可登录')
            : t('已开启设备授权，{{count}} 台设备获得授权', { count: data.approved }),
      }),
  })
  // A failure has been told by then.
  const send = (policy: DevicePolicy): Promise<unknown> =>
    save
      .mutateAsync({ input: { agentId: company.id, policy, approveRecentDays: policy === 'open' ? 0 : days } })
      .catch(() => null)
  if (company.devicePolicy === 'approval') {
    const ask = (): void => {
      void modal.confirm({
        title: t('关闭“{{company}}”的设备授权', { company: company.company }),
        content: t('关闭后，该公司的人员可用任何设备登录。'),
        okText: t('关闭设备授权'),
        okButtonProps: { danger: true },
        cancelText: t('取消'),
        onOk: () => send('open'),
      })
    }
    return (
      <Button busy={save.isPending} onClick={ask}>
        {t('关闭设备授权')}
      </Button>
    )
  }
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    if (!save.isPending) void send('approval')
  }
  return (
    <form onSubmit={submit}>
      <label>
        {t('开启时授权的设备')}
        <select value={days} onChange={(event) => setDays(Number(event.target.value))}>
          {recentDays.map((count) => (
            <option key={count} value={count}>
              {count === 0 ? t('仅当前设备') : t('近 {{count}} 天用过的设备', { count })}
            </option>
          ))}
        </select>
      </label>
      <Button type="submit" look="primary" busy={save.isPending}>
        {t('开启设备授权')}
      </Button>
    </form>
  )
}
