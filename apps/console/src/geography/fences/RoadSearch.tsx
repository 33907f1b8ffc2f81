import Select from 'antd/es/select'
import { useState, type ReactNode } from 'react'
import { fenceEndpoints } from '@saddle/contract/geography/fences.ts'
import { hourMs } from '@saddle/contract/time.ts'
import { t } from '#kit/i18n/index.ts'
import type { MapBounds } from '#kit/map/view.ts'
import { useEndpoint } from '#kit/query.ts'
import { useLater } from '#kit/useLater.ts'

/** Finds a road of the city by a part of its name, and shows where it is. */
export function RoadSearch({ onFound }: { readonly onFound: (bounds: MapBounds) => void }): ReactNode {
  const [typed, setTyped] = useState('')
  const keyword = useLater(typed.trim())
  const { data, isFetching, error } = useEndpoint(
    fenceEndpoints.findRoads,
    { keyword },
    { enabled: keyword !== '', staleMs: hourMs, keepPrevious: true, quiet: true },
  )
  const found = keyword === '' ? [] : (data?.data.list ?? [])
  return (
    <Select
      className="fences-road"
      aria-label={t('查找道路')}
      placeholder={t('查找道路')}
      showSearch={{ filterOption: false, onSearch: setTyped }}
      suffixIcon={null}
      value={null}
      loading={isFetching}
      notFoundContent={nothingText(keyword, error !== null, isFetching)}
      options={found.map(({ name }) => ({ value: name, label: name }))}
      onChange={(name: string) => {
        const road = found.find((one) => one.name === name)
        if (road !== undefined) onFound(road.bounds)
      }}
    />
  )
}

function nothingText(keyword: string, hasFailed: boolean, isFetching: boolean): string {
  if (keyword === '') return t('输入道路名称的一部分')
  if (hasFailed) return t('查找失败，请重试')
  return isFetching ? t('正在查找…') : t('没有找到这条道路')
}
