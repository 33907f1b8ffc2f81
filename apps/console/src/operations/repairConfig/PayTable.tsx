import { useState, type ReactNode } from 'react'
import { centsOfYuan, yuanText } from '@saddle/contract/money.ts'
import { repairConfigEndpoints, type TaskPay } from '@saddle/contract/operations/repairConfig.ts'
import { taskKindLabels } from '@saddle/contract/operations/taskWords.ts'
import { t } from '#kit/i18n/index.ts'
import { DataTable } from '#kit/list/DataTable.tsx'
import { notify } from '#kit/notify.ts'
import { Button } from '#kit/plain/Button.tsx'
import { Permit } from '#kit/ui/Permit.tsx'
import { useSend } from '../parts/useSend.ts'

interface Props {
  readonly agentId: number
  readonly list: readonly TaskPay[]
}
interface Row {
  readonly kind: TaskPay['kind']
  readonly yuan: string
  readonly reviewed: boolean
}

const rowOf = ({ kind, cents, reviewed }: TaskPay): Row => ({ kind, yuan: yuanText(cents), reviewed })

/** What one task of each kind pays, and whether somebody looks at it first. */
export function PayTable({ agentId, list }: Props): ReactNode {
  const [rows, setRows] = useState<readonly Row[]>(() => list.map(rowOf))
  const put = (row: Row) => setRows(rows.map((one) => (one.kind === row.kind ? row : one)))
  const undo = useSend(repairConfigEndpoints.saveTaskPay, {
    invalidates: [repairConfigEndpoints.repairConfig],
    onSuccess: ({ data }) => setRows(data.pay.map(rowOf)),
  })
  const { send, isPending } = useSend(repairConfigEndpoints.saveTaskPay, {
    invalidates: [repairConfigEndpoints.repairConfig],
    onSuccess: () =>
      notify.success({
        text: t('已保存任务报酬，此后完成的任务按此计算'),
        action: { label: t('撤销'), run: () => undo.send({ agentId, pay: [...list] }) },
      }),
  })
  const pay = rows.flatMap(({ kind, yuan, reviewed }) => {
    const cents = centsOfYuan(yuan)
    return cents === null || cents > 1_000_000 ? [] : [{ kind, cents, reviewed }]
  })
  const isValid = pay.length === rows.length
  const isChanged = JSON.stringify(pay) !== JSON.stringify(list)
  return (
    <section className="page-card">
      <div className="work-bar">
        <p className="work-note">
          {t('报酬按任务完成时的设置计入；须审核的任务，审核不通过则不计报酬。报酬与配件费用只作统计，不记入资金账。')}
        </p>
        <Permit action="0501">
          <Button
            look="primary"
            busy={isPending}
            disabled={!isValid || !isChanged}
            onClick={() => send({ agentId, pay })}
          >
            {t('保存任务报酬')}
          </Button>
        </Permit>
      </div>
      {!isValid && <p role="alert">{t('请填写有效的金额')}</p>}
      <DataTable<Row>
        label={t('任务报酬')}
        columns={[
          { key: 'kind', title: t('类型'), inHead: true, render: (row) => t(taskKindLabels[row.kind]) },
          {
            key: 'pay',
            title: t('每个任务'),
            unit: t('元'),
            render: (row) => (
              <input
                className="filter-keyword"
                inputMode="decimal"
                aria-label={t('{{kind}}每个任务（元）', { kind: t(taskKindLabels[row.kind]) })}
                value={row.yuan}
                onChange={(event) => put({ ...row, yuan: event.target.value })}
              />
            ),
          },
          {
            key: 'review',
            title: t('完成后须审核'),
            render: (row) => (
              <input
                type="checkbox"
                aria-label={t('{{kind}}完成后须审核', { kind: t(taskKindLabels[row.kind]) })}
                checked={row.reviewed}
                onChange={(event) => put({ ...row, reviewed: event.target.checked })}
              />
            ),
          },
        ]}
        rows={rows}
        rowKey={(row) => row.kind}
        cardHead={(row) => t(taskKindLabels[row.kind])}
      />
    </section>
  )
}
