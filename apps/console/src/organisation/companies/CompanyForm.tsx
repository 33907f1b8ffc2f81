import Modal from 'antd/es/modal'
import Select from 'antd/es/select'
import { useId, useRef, useState, type ReactNode } from 'react'
import {
  devicePolicies,
  devicePolicyLabels,
  franchiseEndpoints,
  type AgentNode,
  type DevicePolicy,
} from '@saddle/contract/organisation/franchise.ts'
import { isTryOver, newIdempotencyKey } from '#kit/idempotency.ts'
import { dayOf, startOfDay } from '#kit/day.ts'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { Button } from '#kit/plain/Button.tsx'
import { Field } from '#kit/plain/Field.tsx'
import { useEndpointMutation } from '#kit/query.ts'
import { useSession } from '#kit/session/store.ts'
import { companyCalls } from '../parts/companyCalls.ts'
import { parentsFor } from './parents.ts'
import './company.css'

interface NewProps {
  readonly parent: AgentNode
  readonly onDone: (company: AgentNode) => void
  readonly onClose: () => void
}

/** Opens a company below another; people, roles and areas are added to it afterwards. */
export function NewCompany({ parent, onDone, onClose }: NewProps): ReactNode {
  const [company, setCompany] = useState('')
  const key = useRef(newIdempotencyKey())
  const create = useEndpointMutation(franchiseEndpoints.createAgent, { invalidates: companyCalls })
  const name = company.trim()
  const submit = (): void =>
    create.mutate(
      { input: { parentId: parent.id, company: name }, idempotencyKey: key.current },
      {
        onSuccess: ({ data }) => {
          notify.success({ text: t('已开设“{{name}}”', { name: data.company }) })
          onDone(data)
        },
        onError: (error) => {
          if (isTryOver(error)) key.current = newIdempotencyKey()
        },
      },
    )
  return (
    <Modal open title={t('在“{{name}}”之下开设加盟商', { name: parent.company })} footer={null} onCancel={onClose}>
      <form
        className="company-form"
        onSubmit={(event) => {
          event.preventDefault()
          if (name.length >= 2 && !create.isPending) submit()
        }}
      >
        <Field
          label={t('公司名称')}
          value={company}
          maxLength={80}
          hint={t('开设后可为它新增服务区、角色与账号')}
          onChange={(event) => setCompany(event.target.value)}
        />
        <div className="company-foot">
          <Button onClick={onClose}>{t('取消')}</Button>
          <Button type="submit" look="primary" busy={create.isPending} disabled={name.length < 2}>
            {t('开设')}
          </Button>
        </div>
      </form>
    </Modal>
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
  const id = useId()
  const [name, setName] = useState(company.company)
  const [parentId, setParentId] = useState(company.parentId)
  const [policy, setPolicy] = useState<DevicePolicy>(company.devicePolicy)
  const [totpDay, setTotpDay] = useState(dayOf(company.financeTotpFrom))
  const change = useEndpointMutation(franchiseEndpoints.changeAgent, { invalidates: companyCalls })
  const canMove = company.parentId !== null && company.id !== own
  const submit = (): void => {
    const input = {
      id: company.id,
      company: name.trim(),
      devicePolicy: policy,
      financeTotpFrom: startOfDay(totpDay) ?? null,
      ...(canMove && parentId !== null && { parentId }),
    }
    const back = {
      id: company.id,
      company: company.company,
      devicePolicy: company.devicePolicy,
      financeTotpFrom: company.financeTotpFrom,
      ...(canMove && company.parentId !== null && { parentId: company.parentId }),
    }
    change.mutate(
      { input },
      {
        onSuccess: () => {
          onClose()
          notify.success({
            text: t('已保存“{{name}}”', { name: name.trim() }),
            action: { label: t('撤销'), run: () => change.mutate({ input: back }) },
          })
        },
      },
    )
  }
  return (
    <Modal open title={t('编辑 {{name}}', { name: company.company })} footer={null} onCancel={onClose}>
      <form
        className="company-form"
        onSubmit={(event) => {
          event.preventDefault()
          if (name.trim().length >= 2 && !change.isPending) submit()
        }}
      >
        <Field label={t('公司名称')} value={name} maxLength={80} onChange={(event) => setName(event.target.value)} />
        {canMove && (
          <div className="company-line">
            <label htmlFor={`${id}-parent`}>{t('上级')}</label>
            <Select
              id={`${id}-parent`}
              showSearch={{ optionFilterProp: 'label' }}
              value={parentId}
              options={parentsFor(nodes, company.id)}
              onChange={setParentId}
            />
            <small>{t('移动后，新的上级可以看到它和它的下级；原来的上级不再看到。')}</small>
          </div>
        )}
        <fieldset className="company-line">
          <legend>{t('登录设备')}</legend>
          {devicePolicies.map((one) => (
            <label key={one} className="company-choice">
              <input type="radio" name={`${id}-policy`} checked={policy === one} onChange={() => setPolicy(one)} />
              {t(devicePolicyLabels[one])}
            </label>
          ))}
        </fieldset>
        <Field
          type="date"
          label={t('财务角色须用动态验证码')}
          optionalText={t('选填')}
          value={totpDay}
          hint={t('自该日零点起，持有财务权限的人登录时须输入动态验证码；不填则不要求')}
          onChange={(event) => setTotpDay(event.target.value)}
        />
        <div className="company-foot">
          <Button onClick={onClose}>{t('取消')}</Button>
          <Button type="submit" look="primary" busy={change.isPending} disabled={name.trim().length < 2}>
            {t('保存')}
          </Button>
        </div>
      </form>
    </Modal>
  )
}
