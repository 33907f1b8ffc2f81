import { useState, type ReactNode } from 'react'
import { Link } from 'react-router'
import {
  applicationEndpoints,
  applicationFields,
  applicationList,
  applicationStateLabels,
  type ApplicationRow,
  type ApplicationState,
} from '@saddle/contract/organisation/applications.ts'
import { Form } from '#kit/form/Form.tsx'
import { longText } from '#kit/form/textFields.tsx'
import { dateTime, maskPhone } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { DetailPanel } from '#kit/list/DetailPanel.tsx'
import { many } from '#kit/list/filters/specs.tsx'
import { ListPage } from '#kit/list/ListPage.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { Button } from '#kit/plain/Button.tsx'
import { Facts } from '#kit/ui/Facts.tsx'
import { Mark, type Tone } from '#kit/ui/Mark.tsx'
import { companyCalls } from '../parts/companyCalls.ts'
import '../parts/parts.css'
import { AcceptForm } from './AcceptForm.tsx'
import './applications.css'

const applications = listOf({
  list: applicationList,
  call: applicationEndpoints.listApplications,
  file: applicationEndpoints.exportApplications,
  fields: applicationFields,
  usual: { states: ['submitted'] },
  rowKey: ({ applicationNumber }) => applicationNumber,
})

const tones: Readonly<Record<ApplicationState, Tone>> = { submitted: 'warn', accepted: 'good', refused: 'bad' }
const isWaiting = ({ state }: ApplicationRow): boolean => state === 'submitted'

interface Props {
  readonly title: string
  readonly above: ReactNode
}

/** Companies that ask to join, decided one by one. */
export default function ApplicationsPage({ title, above }: Props): ReactNode {
  const list = useList(applications)
  return (
    <ListPage
      list={list}
      title={title}
      above={above}
      layout="queue"
      filters={[many('states', t('状态'), applicationStateLabels)]}
      columns={columns}
      rowName={({ company }) => company}
      empty={t('没有待审核的申请')}
      isWaiting={isWaiting}
      renderPanel={(row, { goOn }) => <Panel key={row.applicationNumber} application={row} onDone={goOn} />}
    />
  )
}

const columns = (): readonly ColumnSpec<ApplicationRow>[] => [
  { key: 'company', card: 'head' },
  { key: 'state', card: 'head', render: ({ state }) => <StateMark state={state} /> },
  'city',
  'plannedVehicles',
  { key: 'contact', render: ({ contact, phone }) => `${contact} ${maskPhone(phone)}` },
  'createdAt',
  { key: 'applicationNumber', card: 'none', isOptional: true },
  { key: 'decidedBy', card: 'none', isOptional: true },
  { key: 'decidedAt', card: 'none', isOptional: true },
]

const StateMark = ({ state }: { readonly state: ApplicationState }) => (
  <Mark tone={tones[state]}>{t(applicationStateLabels[state])}</Mark>
)

interface PanelProps {
  readonly application: ApplicationRow
  readonly onDone: () => void
}

/** One application: what they say, and the decision, with everything that accepting makes. */
function Panel({ application, onDone }: PanelProps) {
  const [choice, setChoice] = useState<'accept' | 'refuse'>('accept')
  const { company, state, remark } = application
  return (
    <DetailPanel
      label={t('加盟申请', { context: 'tab' })}
      title={
        <span className="org-name">
          {company} <StateMark state={state} />
        </span>
      }
    >
      <div className="application">
        <Facts
          facts={[
            [t('申请编号'), application.applicationNumber],
            [t('城市'), application.city],
            [t('计划车辆'), application.plannedVehicles],
            [t('联系人'), application.contact],
            [t('手机号'), application.phone],
            [t('申请时间'), dateTime(application.createdAt)],
            ...(remark === '' ? [] : ([[t('备注'), remark]] as const)),
          ]}
        />
        {isWaiting(application) ? (
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
              <AcceptForm application={application} onDone={onDone} />
            ) : (
              <RefuseForm application={application} onDone={onDone} />
            )}
          </>
        ) : (
          <Outcome application={application} />
        )}
      </div>
    </DetailPanel>
  )
}

function Outcome({ application }: Pick<PanelProps, 'application'>) {
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

function RefuseForm({ application, onDone }: PanelProps) {
  const { applicationNumber, company } = application
  return (
    <Form
      call={applicationEndpoints.refuseApplication}
      about={applicationNumber}
      fields={{
        reason: longText({
          label: t('拒绝原因'),
          rows: 4,
          hint: t('写入操作日志，并显示在申请记录中；决定后不能更改'),
        }),
      }}
      input={({ reason }) => ({ applicationNumber, reason })}
      submit={t('拒绝“{{name}}”', { name: company })}
      stale={companyCalls}
      done={() => t('已拒绝“{{name}}”的申请', { name: company })}
      onDone={onDone}
    />
  )
}
