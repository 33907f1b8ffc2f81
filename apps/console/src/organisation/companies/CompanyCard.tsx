import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { emptyText } from '@saddle/contract/constants.ts'
import { devicePolicyLabels, type AgentNode } from '@saddle/contract/organisation/companies.ts'
import { enabledStateLabels } from '@saddle/contract/organisation/roles.ts'
import { dayOf } from '#kit/day.ts'
import { number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { Permit } from '#kit/ui/Permit.tsx'
import { AppearanceForm } from '../appearance/AppearanceForm.tsx'
import { EditCompany, NewCompany } from './CompanyForm.tsx'
import { CompanySwitch } from './CompanySwitch.tsx'
import './company.css'

interface Props {
  readonly company: AgentNode
  readonly nodes: readonly AgentNode[]
  /** The company that the person works for cannot be stopped by them. */
  readonly isOwn: boolean
  readonly onOpen: (company: AgentNode) => void
}

/** A company with its figures, each of which opens the list behind it, and what can be done to it. */
export function CompanyCard({ company, nodes, isOwn, onOpen }: Props): ReactNode {
  const [act, setAct] = useState<'new' | 'edit' | 'look' | 'switch' | null>(null)
  const close = () => setAct(null)
  const { id, state, figures: counts } = company
  const ofCompany = encodeURIComponent(JSON.stringify({ agentIds: [id] }))
  const figures = [
    { title: t('服务区数'), value: counts?.areas, to: `/agent/service-area-management?agent=${id}` },
    { title: t('角色数'), value: counts?.roles, to: `/agent/role-management?agent=${id}` },
    { title: t('账号数'), value: counts?.accounts, to: null },
    { title: t('车辆数'), value: counts?.vehicles, to: `/vehicle/vehicle-query?filter=${ofCompany}` },
  ]
  return (
    <section className="page-card company-card" aria-label={company.company}>
      <h2>
        {company.company}
        <span className="org-chip" data-tone={state === 'enabled' ? 'good' : 'bad'}>
          {t(enabledStateLabels[state])}
        </span>
      </h2>
      <dl className="detail-list">
        {figures.map(({ title, value, to }) => (
          <div key={title}>
            <dt>{title}</dt>
            <dd>
              {to === null || value === undefined || value === 0 ? (
                (value ?? emptyText)
              ) : (
                <Link to={to}>{number(value)}</Link>
              )}
            </dd>
          </div>
        ))}
        <div>
          <dt>{t('登录设备')}</dt>
          <dd>{t(devicePolicyLabels[company.devicePolicy])}</dd>
        </div>
        <div>
          <dt>{t('财务动态验证码')}</dt>
          <dd>
            {company.financeTotpFrom === null
              ? t('不要求')
              : t('自 {{day}} 起', { day: dayOf(company.financeTotpFrom) })}
          </dd>
        </div>
      </dl>
      <div className="company-acts">
        <Button onClick={() => setAct('new')}>{t('新增下级加盟商')}</Button>
        <Button onClick={() => setAct('edit')}>{t('编辑')}</Button>
        <Permit action="110102">
          <Button onClick={() => setAct('look')}>{t('品牌与布局')}</Button>
        </Permit>
        {!isOwn && company.parentId !== null && (
          <Button onClick={() => setAct('switch')}>{state === 'enabled' ? t('停用…') : t('启用…')}</Button>
        )}
      </div>
      {act === 'new' && (
        <NewCompany
          parent={company}
          onClose={close}
          onDone={(made) => {
            close()
            onOpen(made)
          }}
        />
      )}
      {act === 'edit' && <EditCompany company={company} nodes={nodes} onClose={close} />}
      {act === 'look' && <AppearanceForm company={company} onClose={close} />}
      {act === 'switch' && <CompanySwitch company={company} onClose={close} />}
    </section>
  )
}
