import { useState, type ReactNode } from 'react'
import {
  segmentEndpoints,
  segmentFields,
  segmentList,
  segmentStateLabels,
  type Segment,
} from '@saddle/contract/marketing/segments.ts'
import { agentEndpoints } from '@saddle/contract/organisation/agents.ts'
import { choice, select } from '#kit/form/choiceFields.tsx'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { text } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'
import { listOf } from '#kit/list/declare.ts'
import { keyword, many } from '#kit/list/filters/specs.tsx'
import { ListPage } from '#kit/list/ListPage.tsx'
import type { ColumnSpec } from '#kit/list/table/columns.tsx'
import { useList } from '#kit/list/useList.ts'
import { Button, ButtonLink } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Mark } from '#kit/ui/Mark.tsx'
import { phonesField } from '../coupons/phonesField.ts'
import { SegmentPanel } from './SegmentPanel.tsx'
import { staleSegments } from './words.ts'

const segments = listOf({
  list: segmentList,
  call: segmentEndpoints.listSegments,
  file: segmentEndpoints.exportSegments,
  fields: segmentFields,
})

/** Segments: who is meant, and how many they are. */
export default function SegmentsPage(): ReactNode {
  const list = useList(segments)
  const [isTagging, setTagging] = useState(false)
  return (
    <>
      <ListPage
        list={list}
        title={t('用户人群')}
        actions={
          <>
            <Button onClick={() => setTagging(true)}>{t('给用户加标签')}</Button>
            <ButtonLink look="primary" to="/marketing/segment-edit">
              {t('新增人群')}
            </ButtonLink>
          </>
        }
        filters={[keyword(t('人群名称'), 'name'), many('states', t('状态'), segmentStateLabels)]}
        columns={columns}
        rowName={({ name }) => name}
        empty={t('还没有人群')}
        renderPanel={(row) => <SegmentPanel key={row.id} segment={row} />}
      />
      {isTagging && <TagDialog onClose={() => setTagging(false)} />}
    </>
  )
}

const columns = (): readonly ColumnSpec<Segment>[] => [
  { key: 'name', card: 'head' },
  {
    key: 'state',
    card: 'head',
    render: ({ state }) => <Mark tone={state === 'on' ? 'good' : 'off'}>{t(segmentStateLabels[state])}</Mark>,
  },
  'size',
  'sizedAt',
  'campaigns',
  { key: 'company', card: 'wide' },
  { key: 'createdAt', isOptional: true },
  { key: 'changedAt', card: 'none' },
  { key: 'changedBy', isOptional: true },
]

/** Gives riders a tag by their phone numbers, or takes it away. */
function TagDialog({ onClose }: { onClose: () => void }) {
  const companies = useEndpoint(agentEndpoints.listAgentAccounts, {}, { staleMs: 300_000 })
  const offered = companies.data?.data.rows ?? []
  return (
    <FormDialog
      key={offered.length}
      title={t('给用户加标签')}
      call={segmentEndpoints.tagRiders}
      about="tags"
      fields={{
        agentId: select<number>({
          label: t('加盟商'),
          options: offered.map(({ agentId, company }) => ({ value: agentId, label: company })),
          initial: offered[0]?.agentId ?? null,
        }),
        tag: text({ label: t('标签') }),
        isRemoved: choice<boolean>({
          label: t('操作'),
          initial: false,
          options: [
            { value: false, label: t('加上标签') },
            { value: true, label: t('去掉标签') },
          ],
        }),
        phones: phonesField(),
      }}
      input={(values) => values}
      submit={t('保存标签')}
      stale={staleSegments}
      done={({ data: { changed, unknown } }) =>
        t('已更新 {{changed}} 人，{{unknown}} 个号码没有用户', { changed, unknown })
      }
      onClose={onClose}
    />
  )
}
