import { useState, type ReactNode } from 'react'
import { suggestedTaskRules, taskRuleEndpoints, type TaskRuleVersion } from '@saddle/contract/operations/taskRules.ts'
import { taskKindLabels, taskTriggerLabels } from '@saddle/contract/operations/taskWords.ts'
import { dateTime } from '#kit/format.ts'
import { t } from '#kit/i18n/index.ts'
import { DataTable, type Column } from '#kit/list/DataTable.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { useEndpoint } from '#kit/query.ts'
import { Permit } from '#kit/ui/Permit.tsx'
import { Empty } from '#kit/ui/states.tsx'
import { RuleEditor } from './RuleEditor.tsx'

interface AreaRow {
  readonly areaId: number
  readonly areaName: string
  readonly current: TaskRuleVersion | null
}

/** What the platform asks for by itself in each area, and how that is changed. */
export function RulesPanel(): ReactNode {
  const { data, error, refetch } = useEndpoint(taskRuleEndpoints.listTaskRules, {})
  const [selected, setSelected] = useState<readonly number[]>([])
  const [editing, setEditing] = useState<readonly AreaRow[] | null>(null)
  const [historyOf, setHistoryOf] = useState<number | null>(null)
  const list = data?.data.list
  const chosen = list?.filter(({ areaId }) => selected.includes(areaId)) ?? []
  return (
    <div className="work-form">
      {editing === null && (
        <section className="page-card">
          <div className="work-bar">
            <p className="work-note">
              {t('系统每半分钟查看一次全部车辆，按各服务区的规则创建任务，原因消失后自动取消无人领取的任务。')}
            </p>
            <Permit action="090903">
              <Button look="primary" disabled={chosen.length === 0} onClick={() => setEditing(chosen)}>
                {chosen.length === 0
                  ? t('选择服务区后修改规则')
                  : t('修改 {{count}} 个服务区的规则', { count: chosen.length })}
              </Button>
            </Permit>
          </div>
          <DataTable<AreaRow>
            label={t('任务规则')}
            columns={columnsOf(setHistoryOf)}
            rows={list}
            rowKey={(row) => row.areaId}
            error={error}
            onRetry={() => void refetch()}
            selected={selected}
            onSelect={(keys) => setSelected(keys.map(Number))}
            onOpen={(row) => setEditing([row])}
            cardHead={(row) => row.areaName}
            empty={<Empty title={t('没有服务区')} />}
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
            setSelected([])
          }}
        />
      )}
      {historyOf !== null && editing === null && <History areaId={historyOf} onClose={() => setHistoryOf(null)} />}
    </div>
  )
}

function columnsOf(onHistory: (areaId: number) => void): readonly Column<AreaRow>[] {
  return [
    { key: 'area', title: t('服务区'), inHead: true, render: (row) => row.areaName },
    {
      key: 'rules',
      title: t('启用的规则'),
      render: ({ current }) => (
        <span className="work-wrap">{current === null ? t('未设置，不自动创建任务') : summaryOf(current)}</span>
      ),
    },
    { key: 'version', title: t('版本'), numeric: true, render: ({ current }) => current?.version ?? '--' },
    { key: 'author', title: t('发布人'), render: ({ current }) => current?.authorName ?? '--' },
    { key: 'at', title: t('发布时间'), render: ({ current }) => <time>{dateTime(current?.createdAt)}</time> },
    {
      key: 'history',
      title: t('历史'),
      render: ({ areaId, current }) =>
        current === null ? (
          '--'
        ) : (
          <Button look="quiet" onClick={() => onHistory(areaId)}>
            {t('全部版本')}
          </Button>
        ),
    },
  ]
}

function summaryOf({ rules }: TaskRuleVersion): string {
  const on = rules.filter(({ enabled }) => enabled)
  if (on.length === 0) return t('全部停用')
  return on.map(({ trigger, kind }) => `${t(taskTriggerLabels[trigger])} → ${t(taskKindLabels[kind])}`).join('；')
}

function History({ areaId, onClose }: { readonly areaId: number; readonly onClose: () => void }) {
  const { data } = useEndpoint(taskRuleEndpoints.listTaskRules, { areaId })
  const history = data?.data.history
  return (
    <section className="page-card">
      <div className="work-bar">
        <strong>{t('全部版本')}</strong>
        <Button look="quiet" onClick={onClose}>
          {t('收起')}
        </Button>
      </div>
      <DataTable<TaskRuleVersion>
        label={t('全部版本')}
        columns={[
          { key: 'version', title: t('版本'), inHead: true, render: (row) => row.version },
          { key: 'rules', title: t('启用的规则'), render: summaryOf },
          { key: 'note', title: t('说明'), render: (row) => row.note || '--' },
          { key: 'author', title: t('发布人'), render: (row) => row.authorName },
          { key: 'at', title: t('发布时间'), render: (row) => <time>{dateTime(row.createdAt)}</time> },
        ]}
        rows={history}
        rowKey={(row) => row.id}
        cardHead={(row) => t('第 {{version}} 版', { version: row.version })}
      />
    </section>
  )
}
