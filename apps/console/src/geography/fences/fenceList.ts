import {
  fenceFields,
  fenceList,
  fenceManageEndpoints,
  type FenceFilter,
  type ManagedFence,
} from '@saddle/contract/geography/manage.ts'
import type { FenceKind } from '@saddle/contract/geography/fences.ts'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { areas, keyword, one } from '#kit/list/filters/specs.tsx'
import type { FilterSpec } from '#kit/list/filters/types.ts'
import type { List } from '#kit/list/useList.ts'

export const fences = listOf({
  list: fenceList,
  call: fenceManageEndpoints.listElectricFences,
  file: fenceManageEndpoints.exportElectricFences,
  fields: fenceFields,
  rowKey: ({ lineId }) => lineId,
})

export type FenceList = List<ManagedFence, FenceFilter>

const yes = (label: string) => [{ value: true, label }]

export const filtersOf = (kind: FenceKind): readonly FilterSpec<FenceFilter>[] => [
  keyword(t('围栏名称'), 'keyword'),
  areas('areaIds'),
  ...(kind === 'parking' ? [one<FenceFilter>('full', t('容量'), yes(t('已停满')))] : []),
  ...(kind === 'service_area' ? [] : [one<FenceFilter>('removed', t('状态'), yes(t('已删除')))]),
]
