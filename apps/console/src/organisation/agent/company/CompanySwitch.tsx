import type { ReactNode } from 'react'
import { franchiseEndpoints, type AgentNode } from '@saddle/contract/organisation/franchise.ts'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { useEndpoint, useEndpointMutation } from '#kit/query.ts'
import { Confirm } from '#organisation/parts/Confirm.tsx'
import { franchiseReadings } from '../readings.ts'
import { UsesList } from '../Uses.tsx'

interface Props {
  readonly company: AgentNode
  readonly onClose: () => void
}

/** Stops or starts a company, with what it touches shown first. */
export function CompanySwitch({ company, onClose }: Props): ReactNode {
  const isStop = company.state === 'enabled'
  const uses = useEndpoint(franchiseEndpoints.agentUses, { id: company.id }, { staleMs: 0 })
  const change = useEndpointMutation(franchiseEndpoints.changeAgent, { invalidates: franchiseReadings })
  const words = { name: company.company }
  const confirm = (): void =>
    change.mutate(
      { input: { id: company.id, state: isStop ? 'disabled' : 'enabled' } },
      {
        onSuccess: () => {
          onClose()
          notify.success({
            text: isStop ? t('已停用“{{name}}”', words) : t('已启用“{{name}}”', words),
            action: {
              label: t('撤销'),
              run: () => change.mutate({ input: { id: company.id, state: company.state } }),
            },
          })
        },
      },
    )
  return (
    <Confirm
      title={isStop ? t('停用加盟商“{{name}}”', words) : t('启用加盟商“{{name}}”', words)}
      action={isStop ? t('停用 {{name}}', words) : t('启用 {{name}}', words)}
      refusal={isStop ? (uses.data?.data.refusal ?? null) : null}
      busy={change.isPending || uses.data === undefined}
      onConfirm={confirm}
      onClose={onClose}
    >
      <p>
        {isStop
          ? t('其人员立即退出登录，停用期间不能再登录；下级加盟商、车辆与数据不受影响，可以随时再启用。')
          : t('其人员可以重新登录。')}
      </p>
      <UsesList
        uses={uses.data?.data}
        error={uses.error}
        onRetry={() => void uses.refetch()}
        none={t('它还没有账号、服务区或车辆。')}
      />
    </Confirm>
  )
}
