import Drawer from 'antd/es/drawer'
import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import { applicationStateLabels, type ApplicationRow } from '@saddle/contract/organisation/agents.ts'
import { franchiseEndpoints } from '@saddle/contract/organisation/franchise.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { Button } from '#kit/plain/Button.tsx'
import { AreaField } from '#kit/plain/Field.tsx'
import { useEndpointMutation } from '#kit/query.ts'
import { companyCalls } from '../parts/companyCalls.ts'
import { AcceptForm } from './AcceptForm.tsx'
import './applications.css'

interface Props {
  readonly application: ApplicationRow
  readonly onClose: () => void
}

/** One application: what they say, and the decision, with everything that accepting makes. */
export default function ReviewDrawer({ application, onClose }: Props): ReactNode {
  const [choice, setChoice] = useState<'accept' | 'refuse'>('accept')
  return (
    <Drawer
      open
      size={Math.min(1_080, globalThis.innerWidth)}
      title={t('加盟申请 {{number}}', { number: application.applicationNumber })}
      onClose={onClose}
    >
      <div className="application">
        <Facts application={application} />
        {application.state === 'submitted' ? (
          <>
            <fieldset className="org-switch" aria-label={t('处理')}>
              <Button aria-pressed={choice === 'accept'} onClick={() => setChoice('accept')}>
                {t('通过')}
              </Button>
              <Button aria-pressed={choice === 'refuse'} onClick={() => setChoice('refuse')}>
                {t('拒绝')}
              </Button>
            </fieldset>
            {choice === 'accept' ? (
              <AcceptForm application={application} onDone={onClose} />
            ) : (
              <RefuseForm application={application} onDone={onClose} />
            )}
          </>
        ) : (
          <Outcome application={application} />
        )}
      </div>
    </Drawer>
  )
}

function Facts({ application }: { readonly application: ApplicationRow }) {
  const facts = [
    [t('公司'), application.company],
    [t('城市'), application.city],
    [t('计划车辆'), String(application.plannedVehicles)],
    [t('联系人'), application.contact],
    [t('手机号'), application.phone],
    [t('申请时间'), dateTime(application.createdAt)],
    ...(application.remark === '' ? [] : [[t('备注'), application.remark]]),
  ]
  return (
    <dl className="detail-list application-facts">
      {facts.map(([title, value]) => (
        <div key={title}>
          <dt>{title}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

function Outcome({ application }: { readonly application: ApplicationRow }) {
  const { state, decidedBy, decidedAt, refusal, agentId } = application
  return (
    <div className="org-note" data-tone={state === 'refused' ? 'bad' : undefined}>
      <p>
        {t('{{state}}：{{who}}，{{when}}', {
          state: t(applicationStateLabels[state]),
          who: decidedBy ?? '--',
          when: decidedAt === null ? '--' : dateTime(decidedAt),
        })}
      </p>
      {refusal !== null && <p>{t('原因：{{reason}}', { reason: refusal })}</p>}
      {agentId !== null && (
        <p>
          <Link to={`/agent/account-management?agent=${agentId}`}>{t('查看该加盟商')}</Link>
        </p>
      )}
    </div>
  )
}

function RefuseForm({ application, onDone }: { readonly application: ApplicationRow; readonly onDone: () => void }) {
  const [reason, setReason] = useState('')
  const refuse = useEndpointMutation(franchiseEndpoints.refuseApplication, { invalidates: companyCalls })
  const isReady = reason.trim().length >= 2
  return (
    <form
      className="application-form"
      onSubmit={(event) => {
        event.preventDefault()
        if (!isReady || refuse.isPending) return
        refuse.mutate(
          { input: { applicationNumber: application.applicationNumber, reason: reason.trim() } },
          {
            onSuccess: () => {
              notify.success({ text: t('已拒绝“{{name}}”的申请', { name: application.company }) })
              onDone()
            },
          },
        )
      }}
    >
      <AreaField
        label={t('拒绝原因')}
        rows={4}
        maxLength={200}
        value={reason}
        hint={t('写入操作日志，并显示在申请记录中；决定后不能更改')}
        onChange={(event) => setReason(event.target.value)}
      />
      <div className="company-foot">
        <Button type="submit" look="primary" busy={refuse.isPending} disabled={!isReady}>
          {t('拒绝“{{name}}”', { name: application.company })}
        </Button>
      </div>
    </form>
  )
}
