import { useEffect, useState, type ReactNode } from 'react'
import { segmentEndpoints, type SegmentTerms } from '@saddle/contract/marketing/segments.ts'
import { number } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { useEndpoint } from '#kit/query.ts'

const settleMs = 400

interface Props {
  readonly agentId: number | null
  /** Null: what was typed cannot be counted. */
  readonly terms: SegmentTerms | null
}

/** How many riders meet the conditions, counted again when typing has stopped. */
export function SegmentSize({ agentId, terms }: Props): ReactNode {
  const [asked, setAsked] = useState({ agentId, terms })
  const text = JSON.stringify(terms)
  useEffect(() => {
    const timer = setTimeout(() => {
      setAsked({ agentId, terms: text === 'null' ? null : (JSON.parse(text) as SegmentTerms) })
    }, settleMs)
    return () => clearTimeout(timer)
  }, [agentId, text])
  const size =
    asked.agentId === null ? (
      <p>{t('选择加盟商后显示人数')}</p>
    ) : asked.terms === null ? (
      <p>{t('条件填写完整后显示人数')}</p>
    ) : (
      <Counted agentId={asked.agentId} terms={asked.terms} />
    )
  return <aside className="activity-aside">{size}</aside>
}

function Counted({ agentId, terms }: { agentId: number; terms: SegmentTerms }) {
  const { data, error } = useEndpoint(segmentEndpoints.sizeSegment, { agentId, terms }, { quiet: true })
  if (error !== null) return <p>{t('暂时无法统计人数')}</p>
  if (data === undefined) return <p>{t('正在统计人数')}</p>
  const { size, riders } = data.data
  const share = riders === 0 ? '0' : ((size / riders) * 100).toFixed(1)
  return <output>{t('符合条件 {{size}} 人，占全部用户的 {{share}}%', { size: number(size), share })}</output>
}
