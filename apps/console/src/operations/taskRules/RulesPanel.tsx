import { useState, type ReactNode } from 'react'
import { emptyText } from '@saddle/contract/constants.ts'
import { suggestedTaskRules, taskRuleEndpoints, type TaskRuleVersion } from '@saddle/contract/operations/taskRules.ts'
import { taskKindLabels, taskTriggerLabels } from '@saddle/contract/operations/taskWords.ts'
import { t } from '#kit/i18n/index.ts'
import { ListCard } from '#kit/list/ListCard.tsx'
import { Moment, type ColumnSpec } from '#kit/list/table/columns.tsx'
import { heldListOf, useHeldList } from '#kit/list/useHeldList.ts'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Permit } from '#kit/ui/Permit.tsx'
import { RuleEditor } from './RuleEditor.tsx'

interface AreaRow {
  readonly areaId: number
  readonly areaName: string
  readonly current: TaskRuleVersion | null
}

const rules = heldListOf<AreaRow>({
  name: 'task-rules',
  fields: {},
  sorts: {
    areaName: ['asc', ({ areaName }) => areaName],
    version: ['desc', ({ current }) => current?.version ?? null],
    at: ['desc', ({ current }) => current?.createdAt ?? null],
  },
  rowKey: ({ areaId }) => areaId,
})

const versions = heldListOf<TaskRuleVersion>({
  name: 'task-rule-versions',
  fields: {
    version: { title: '版本', as: 'count' },
    rules: '启用的规则',
    note: '说明',
    authorName: '发布人',
    createdAt: { title: '发布时间', as: 'instant' },
  },
  sorts: { version: ['desc', ({ version }) => version] },
})

/** What the platform asks for by itself in each area, and how that is changed. */
export function RulesPanel(): ReactNode {
  const { data, error, refetch } = useEndpoint(taskRuleEndpoints.listTaskRules, {})
  const [editing, setEditing] = useState<readonly AreaRow[] | null>(null)
  const [historyOf, setHistoryOf] = useState<number | null>(null)
  const list = useHeldList(rules, { rows: data?.data.list, error, retry: () => void refetch() })
  return (
    <div className="work-form">
      {editing === null && (
        <section className="page-card">
          <div className="work-bar">
            <p className="work-note">
              {t('系统每半分钟查看一次全部车辆，按各服务区的规则创建任务，原因消失后自动取消无人领取的任务。')}
            </p>
          </div>
          <ListCard
            list={list}
            label={t('任务规则')}
            columns={columnsOf(setHistoryOf)}
            rowName={({ areaName }) => areaName}
            selectable
            renderTools={(chosen) => (
              <Permit action="090903">
                <Button look="primary" onClick={() => setEditing(chosen)}>
                  {t('修改 {{count}} 个服务区的规则', { count: chosen.length })}
                </Button>
              </Permit>
            )}
            onOpen={(row) => setEditing([row])}
            empty={t('没有服务区')}
          />
        </section>
      )}
      {editing !== null && (
        <RuleEditor
          areas={editing.map(({ areaId, areaName, current }) => ({ areaId, areaName, version: current?.version ?? 0 }))}
          from={editing[0]?.current?.rules ?? suggestedTaskRules}
          onClose={() => setEditing(null)}
          onSaved={() => {
            setEditing(null)
            list.choose([])
          }}
        />
      )}
      {historyOf !== null && editing === null && <History areaId={historyOf} onClose={() => setHistoryOf(null)} />}
    </div>
  )
}

const columnsOf = (onHistory: (areaId: number) => void): readonly ColumnSpec<AreaRow>[] => [
  { key: 'areaName', title: t('服务区'), card: 'head' },
  {
    key: 'current',
    title: t('启用的规则'),
    card: 'wide',
    render: ({ current }) => (
      <span className="work-wrap">{current === null ? t('未设置，不自动创建任务') : summaryOf(current)}</span>
    ),
  },
  { key: 'version', title: t('版本'), numeric: true, render: ({ current }) => current?.version ?? emptyText },
  { key: 'author', title: t('发布人'), card: 'none', render: ({ current }) => current?.authorName ?? emptyText },
  {
    key: 'at',
    title: t('发布时间'),
    card: 'none',
    render: ({ current }) => <Moment at={current?.createdAt ?? null} />,
  },
  {
    key: 'history',
    title: t('历史'),
    render: ({ areaId, current }) =>
      current === null ? (
        emptyText
      ) : (
        <Button look="quiet" onClick={() => onHistory(areaId)}>
          {t('全部版本')}
        </Button>
      ),
  },
]

function summaryOf({ rules }: TaskRuleVersion): string {
  const on = rules.filter(({ enabled }) => enabled)
  if (on.length === 0) return t('全部停用')
  return on.map(({ trigger, kind }) => `${t(taskTriggerLabels[trigger])} → ${t(taskKindLabels[kind])}`).join('；')
}

function History({ areaId, onClose }: { readonly areaId: number; readonly onClose: () => void }) {
  const { data, error, refetch } = useEndpoint(taskRuleEndpoints.listTaskRules, { areaId })
  const list = useHeldList(versions, { rows: data?.data.history, error, retry: () => void refetch() })
  return (
    <section className="page-card">
      <div className="work-bar">
        <strong>{t('全部版本')}</strong>
        <Button look="quiet" onClick={onClose}>
          {t('收起')}
        </Button>
      </div>
      <ListCard
        list={list}
        label={t('全部版本')}
        columns={[
          { key: 'version', card: 'head' },
          { key: 'rules', render: (row) => <span className="work-wrap">{summaryOf(row)}</span> },
          'note',
          'authorName',
          'createdAt',
        ]}
        rowName={({ version }) => t('第 {{version}} 版', { version })}
      />
    </section>
  )
}
