import type { ReactNode } from 'react'
import { companyEndpoints, type AgentNode } from '@saddle/contract/organisation/companies.ts'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'
import { companyCalls } from '../parts/companyCalls.ts'
import { References } from '../parts/References.tsx'

interface Props {
  readonly company: AgentNode
  readonly onClose: () => void
}

/** Stops or starts a company, with what it touches shown first. */
export function CompanySwitch({ company, onClose }: Props): ReactNode {
  const { id, state, company: name } = company
  const isStop = state === 'enabled'
  const uses = useEndpoint(companyEndpoints.agentUses, { id }, { staleMs: 0 })
  const known = uses.data?.data
  const refusal = isStop ? (known?.refusal ?? null) : null
  return (
    <FormDialog
      call={companyEndpoints.changeAgent}
      about={`${id}-state`}
      title={isStop ? t('停用加盟商“{{name}}”', { name }) : t('启用加盟商“{{name}}”', { name })}
      fields={{}}
      input={() => ({ id, state: isStop ? ('disabled' as const) : ('enabled' as const) })}
      blocked={known === undefined ? t('正在加载…') : refusal === null ? null : t(refusal)}
      submit={isStop ? t('停用 {{name}}', { name }) : t('启用 {{name}}', { name })}
      stale={companyCalls}
      done={() => (isStop ? t('已停用“{{name}}”', { name }) : t('已启用“{{name}}”', { name }))}
      undo={() => ({ id, state })}
      onClose={onClose}
    >
      <p>
        {isStop
          ? t('其人员立即退出登录，停用期间不能再登录；下级加盟商、车辆与数据不受影响，可以随时再启用。')
          : t('其人员可以重新登录。')}
      </p>
      <References
        uses={known}
        error={uses.error}
        onRetry={() => void uses.refetch()}
        none={t('它还没有账号、服务区或车辆。')}
      />
    </FormDialog>
  )
}
