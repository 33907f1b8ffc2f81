import type { ReactNode } from 'react'
import { areaEndpoints } from '@saddle/contract/organisation/areas.ts'
import { t } from '#kit/i18n/index.ts'
import { One } from '#kit/list/Choices.tsx'
import { useEndpoint } from '#kit/query.ts'

interface Props {
  readonly value: number | undefined
  readonly onChange: (areaId: number | undefined) => void
}

/** The service area that new fences belong to. */
export function AreaChoice({ value, onChange }: Props): ReactNode {
  const { data } = useEndpoint(areaEndpoints.listServiceAreas, {}, { staleMs: 300_000, quiet: true })
  const options = (data?.data.list ?? []).map(({ id, name }) => ({ value: id, label: name }))
  return <One label={t('服务区')} value={value} options={options} onChange={onChange} />
}
