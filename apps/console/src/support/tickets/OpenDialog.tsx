import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import {
  supportTicketEndpoints,
  ticketKindLabels,
  ticketKinds,
  type TicketKind,
} from '@saddle/contract/support/tickets.ts'
import { choice } from '#kit/form/choiceFields.tsx'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { photos } from '#kit/form/otherFields.tsx'
import { longText, phone, vehicleNumber } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'
import { notify } from '#kit/notify.ts'
import { staleTickets } from './stale.ts'

/** A ticket for somebody who telephoned or wrote: who, about which vehicle, what is wrong. */
export default function OpenDialog({ onClose }: { readonly onClose: () => void }): ReactNode {
  const navigate = useNavigate()
  return (
    <FormDialog
      title={t('登记用户工单')}
      widthPx={560}
      call={supportTicketEndpoints.openTicket}
      about="new"
      fields={{
        kind: choice<TicketKind>({
          label: t('类型'),
          initial: 'other',
          options: ticketKinds.map((value) => ({ value, label: t(ticketKindLabels[value]) })),
        }),
        phone: phone({
          label: t('骑行者手机号'),
          note: t('手机号与车辆至少填一项'),
          isOptional: true,
          refusals: ['rider_unknown'],
        }),
        vehicleNumber: vehicleNumber({ note: '', isOptional: true }),
        text: longText({ label: t('问题描述'), rows: 4 }),
        photos: photos({ label: t('照片'), note: t('选填') }),
      }}
      adjust={({ kind, vehicleNumber: number }) => ({
        vehicleNumber: kind === 'fault' && number !== '' ? { hint: t('登记后会为这辆车生成一条维修任务。') } : {},
      })}
      input={(values) => values}
      submit={t('登记工单')}
      stale={staleTickets}
      onDone={({ data }) =>
        notify.success({
          text: t('已登记工单 {{number}}', { number: data.number }),
          action: { label: t('查看'), run: () => void navigate(`/user-worksheet-detail?ticket=${data.id}`) },
        })
      }
      onClose={onClose}
    />
  )
}
