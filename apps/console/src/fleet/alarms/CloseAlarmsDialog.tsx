import type { ReactNode } from 'react'
import { alarmEndpoints, type AlarmTicket } from '@saddle/contract/fleet/alarms.ts'
import { serviceBatchMax } from '@saddle/contract/fleet/service.ts'
import { ticketFixMax } from '@saddle/contract/operations/ticketParts.ts'
import { checks } from '#kit/form/choiceFields.tsx'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { text } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'
import { Empty, ErrorState, Loading } from '#kit/ui/states.tsx'
import { alarmLabel } from '../operation-map/labels.ts'
import { staleVehicles } from '../service/stale.ts'

interface Props {
  readonly vehicleIds: readonly number[]
  /** How many vehicles there are. */
  readonly title: string
  readonly onClose: () => void
}

/** The open alarms of these vehicles by kind; those of the chosen kinds are closed, and can be opened again at once. */
export default function CloseAlarmsDialog({ vehicleIds, title, onClose }: Props): ReactNode {
  const asked = vehicleIds.slice(0, serviceBatchMax)
  const { data, error, refetch } = useEndpoint(
    alarmEndpoints.listAlarmTickets,
    { vehicleIds: asked, open: true, pageSize: ticketFixMax },
    { staleMs: 0 },
  )
  const list = data?.data.list
  return (
    <CloseForm
      // What is chosen at first is known once the alarms are.
      key={String(list === undefined)}
      title={t('关闭告警：{{title}}', { title })}
      list={list ?? []}
      onClose={onClose}
    >
      {list === undefined &&
        (error === null ? <Loading /> : <ErrorState error={error} onRetry={() => void refetch()} />)}
      {list?.length === 0 && <Empty title={t('这些车辆没有未关闭的告警')} />}
      {vehicleIds.length > asked.length && (
        <p role="alert">{t('一次最多 {{count}} 辆，其余的请分批进行', { count: asked.length })}</p>
      )}
      {data?.data.hasMore === true && (
        <p role="alert">{t('一次最多关闭 {{count}} 条告警，其余的请分批进行', { count: ticketFixMax })}</p>
      )}
    </CloseForm>
  )
}

interface FormProps {
  readonly title: string
  readonly list: readonly AlarmTicket[]
  readonly children: ReactNode
  readonly onClose: () => void
}

function CloseForm({ title, list, children, onClose }: FormProps) {
  const kinds = [...new Set(list.map(({ kind }) => kind))]
  const options = kinds.map((kind) => ({
    value: kind,
    label: t('{{alarm}}（{{count}}）', {
      alarm: alarmLabel(kind),
      count: list.filter((one) => one.kind === kind).length,
    }),
  }))
  return (
    <FormDialog
      title={title}
      call={alarmEndpoints.fixAlarmTickets}
      about={list.map(({ id }) => id).join(' ')}
      fields={{
        kinds: checks({ label: t('告警'), options, initial: kinds }),
        note: text({ label: t('说明'), isOptional: true }),
      }}
      input={(values) => ({
        ids: list.filter(({ kind }) => values.kinds.includes(kind)).map(({ id }) => id),
        note: values.note ?? '',
      })}
      submit={t('关闭告警')}
      stale={[...staleVehicles, alarmEndpoints.listAlarmTickets]}
      done={({ data: { fixedIds } }) =>
        fixedIds.length === 0 ? t('告警已经关闭') : t('已关闭 {{count}} 条告警', { count: fixedIds.length })
      }
      undo={({ data: { fixedIds } }) => (fixedIds.length === 0 ? null : { ids: fixedIds })}
      undone={({ data: { reopenedIds } }) => t('已恢复 {{count}} 条告警', { count: reopenedIds.length })}
      onClose={onClose}
    >
      {children}
    </FormDialog>
  )
}
