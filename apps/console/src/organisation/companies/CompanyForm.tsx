import type { ReactNode } from 'react'
import {
  devicePolicies,
  devicePolicyLabels,
  companyEndpoints,
  type AgentNode,
} from '@saddle/contract/organisation/companies.ts'
import { dayOf } from '#kit/day.ts'
import { choice, select } from '#kit/form/choiceFields.tsx'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { day } from '#kit/form/otherFields.tsx'
import { text } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'
import { useSession } from '#kit/session/store.ts'
import { companyCalls } from '../parts/companyCalls.ts'
import { parentsFor } from './parents.ts'

interface NewProps {
  readonly parent: AgentNode
  readonly onDone: (company: AgentNode) => void
  readonly onClose: () => void
}

/** Opens a company below another; people, roles and areas are added to it afterwards. */
export function NewCompany({ parent, onDone, onClose }: NewProps): ReactNode {
  return (
    <FormDialog
      call={companyEndpoints.createAgent}
      about={parent.id}
      title={t('在“{{name}}”之下开设加盟商', { name: parent.company })}
      fields={{ company: text({ label: t('公司名称'), hint: t('开设后可为它新增服务区、角色与账号') }) }}
      input={({ company }) => ({ parentId: parent.id, company })}
      submit={t('开设')}
      stale={companyCalls}
      done={({ data }) => t('已开设“{{name}}”', { name: data.company })}
      onDone={({ data }) => onDone(data)}
      onClose={onClose}
    />
  )
}

interface EditProps {
  readonly company: AgentNode
  readonly nodes: readonly AgentNode[]
  readonly onClose: () => void
}

/** Name, place in the tree, and what is asked of its people at login. */
export function EditCompany({ company, nodes, onClose }: EditProps): ReactNode {
  const own = useSession()?.agentId
  const { id, parentId, devicePolicy, financeTotpFrom } = company
  const isFixed = parentId === null || id === own
  return (
    <FormDialog
      call={companyEndpoints.changeAgent}
      about={id}
      title={t('编辑 {{name}}', { name: company.company })}
      fields={{
        company: text({ label: t('公司名称'), initial: company.company }),
        parentId: select<number>({
          label: t('上级'),
          initial: parentId,
          options: parentsFor(nodes, id),
          hint: t('移动后，新的上级可以看到它和它的下级；原来的上级不再看到。'),
        }),
        devicePolicy: choice({
          label: t('登录设备'),
          initial: devicePolicy,
          options: devicePolicies.map((value) => ({ value, label: t(devicePolicyLabels[value]) })),
        }),
        financeTotpFrom: day({
          label: t('财务角色须用动态验证码'),
          note: t('选填'),
          as: 'start',
          isOptional: true,
          initial: dayOf(financeTotpFrom),
          hint: t('自该日零点起，持有财务权限的人登录时须输入动态验证码；不填则不要求'),
        }),
      }}
      adjust={() => ({ parentId: { isHidden: isFixed } })}
      input={({ financeTotpFrom: from = null, parentId: parent, ...values }) => ({
        id,
        ...values,
        financeTotpFrom: from,
        ...(!isFixed && { parentId: parent }),
      })}
      submit={t('保存')}
      stale={companyCalls}
      done={(_, input) => t('已保存“{{name}}”', { name: input.company ?? company.company })}
      undo={() => ({
        id,
        company: company.company,
        devicePolicy,
        financeTotpFrom,
        ...(!isFixed && { parentId }),
      })}
      onClose={onClose}
    />
  )
}
