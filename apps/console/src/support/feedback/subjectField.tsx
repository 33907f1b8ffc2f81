import Select from 'antd/es/select'
import { useState } from 'react'
import {
  feedbackEndpoints,
  feedbackSubjectLabels,
  type FeedbackSubject,
  type FeedbackSubjectKind,
} from '@saddle/contract/support/feedback.ts'
import type { ControlProps, Field } from '#kit/form/field.ts'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'
import { useLater } from '#kit/useLater.ts'

interface Chosen {
  readonly kind: FeedbackSubjectKind | null
  readonly subject: FeedbackSubject | null
}

/** A thing that a ticket is about: its kind, then one found by its number. */
export function subjectField(
  kinds: readonly FeedbackSubjectKind[],
): Field<Chosen, { kind: FeedbackSubjectKind; id: number } | undefined> {
  return {
    label: t('关联'),
    note: t('选填'),
    initial: { kind: null, subject: null },
    isGroup: true,
    refusals: ['not_found'],
    read: ({ kind, subject }) => {
      if (kind === null) return { value: undefined }
      return subject === null
        ? { fault: t('请选择{{label}}', { label: t(feedbackSubjectLabels[kind]) }) }
        : { value: { kind, id: subject.id } }
    },
    control: (props) => <Picker {...props} kinds={kinds} />,
  }
}

function Picker(props: ControlProps<Chosen> & { readonly kinds: readonly FeedbackSubjectKind[] }) {
  const { id, value, onChange, isInvalid, kinds } = props
  const [word, setWord] = useState('')
  const asked = useLater(word.trim())
  const { kind, subject } = value
  const { data, isFetching } = useEndpoint(
    feedbackEndpoints.feedbackSubjects,
    { kind: kind ?? 'vehicle', word: asked },
    { enabled: kind !== null && asked !== '', quiet: true, keepPrevious: true },
  )
  const found = kind !== null && asked !== '' ? (data?.data.list ?? []).filter((one) => one.kind === kind) : []
  const offered = subject !== null && !found.some((one) => one.id === subject.id) ? [subject, ...found] : found
  const hints: Readonly<Record<FeedbackSubjectKind, string>> = {
    vehicle: t('输入车辆编号的开头'),
    order: t('输入订单编号或车辆编号'),
    service_bill: t('输入账单编号的开头，如 FW202611'),
    split_bill: t('输入账单编号的开头，如 FZ1001'),
  }
  return (
    <span className="feedback-subject">
      <Select<FeedbackSubjectKind>
        id={id}
        aria-label={t('关联的类型')}
        className="form-select"
        allowClear
        placeholder={t('不关联')}
        value={kind}
        options={kinds.map((one) => ({ value: one, label: t(feedbackSubjectLabels[one]) }))}
        onChange={(next) => {
          setWord('')
          onChange({ kind: next ?? null, subject: null })
        }}
      />
      {kind !== null && (
        <Select<number>
          aria-label={t('{{label}}编号', { label: t(feedbackSubjectLabels[kind]) })}
          className="form-select"
          showSearch={{ filterOption: false, onSearch: setWord }}
          loading={isFetching}
          allowClear
          placeholder={hints[kind]}
          {...(isInvalid && { status: 'error' as const })}
          value={subject?.id ?? null}
          notFoundContent={asked === '' ? hints[kind] : isFetching ? t('查找中') : t('没有找到')}
          options={offered.map((one) => ({ value: one.id, label: one.number }))}
          onChange={(next) => onChange({ kind, subject: offered.find((one) => one.id === next) ?? null })}
        />
      )}
    </span>
  )
}
