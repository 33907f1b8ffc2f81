import type { ReactNode } from 'react'
import { certificateKindLabels, certificateKinds } from '@saddle/contract/rider/certificates.ts'
import {
  balanceSpanLabels,
  balanceSpans,
  riderStateLabels,
  riderStates,
  type RiderFilter,
} from '@saddle/contract/rider/riders.ts'
import { t } from '#kit/i18n/index.ts'
import { changeFilter } from '#kit/list/addressFilter.ts'
import { Many, One } from '#kit/list/Choices.tsx'
import { Days, FilterBar, Keyword } from '#kit/list/FilterBar.tsx'
import { readWord, wordOf } from '../parts/word.ts'

interface Props {
  readonly filter: RiderFilter
  readonly onFilter: (filter: RiderFilter) => void
  /** By which time the list is sorted, and days are meant. */
  readonly daysLabel: string
}

/** Which riders: one row of conditions. */
export function RiderFilterBar({ filter, onFilter, daysLabel }: Props): ReactNode {
  const change = (part: Partial<Record<keyof RiderFilter, unknown>>) => onFilter(changeFilter(filter, part))
  const nobody = { phone: undefined, certNumber: undefined, riderId: undefined, name: undefined }
  return (
    <FilterBar count={Object.keys(filter).length} onClear={() => onFilter({})}>
      <Keyword
        label={t('手机号、姓名、证件号或用户编号')}
        value={wordOf(filter)}
        onChange={(text) => change({ ...nobody, ...readWord(text) })}
      />
      <One
        label={t('状态')}
        value={filter.state}
        options={riderStates.map((state) => ({ value: state, label: t(riderStateLabels[state]) }))}
        onChange={(state) => change({ state })}
      />
      <One
        label={t('实名')}
        value={filter.certified}
        options={[
          { value: true, label: t('已实名') },
          { value: false, label: t('未实名') },
        ]}
        onChange={(certified) => change({ certified })}
      />
      <Many
        label={t('专业认证')}
        value={filter.certificates}
        options={[
          ...certificateKinds.map((kind) => ({ value: kind, label: t(certificateKindLabels[kind]) })),
          { value: 'none' as const, label: t('没有专业认证') },
        ]}
        onChange={(certificates) => change({ certificates })}
      />
      <One
        label={t('黑名单')}
        value={filter.banned}
        options={[
          { value: true, label: t('在黑名单') },
          { value: false, label: t('不在黑名单') },
        ]}
        onChange={(banned) => change({ banned })}
      />
      <Many
        label={t('余额')}
        value={filter.balances}
        options={balanceSpans.map((span) => ({ value: span, label: t(balanceSpanLabels[span]) }))}
        onChange={(balances) => change({ balances })}
      />
      <Days label={daysLabel} from={filter.from} to={filter.to} onChange={change} />
    </FilterBar>
  )
}
